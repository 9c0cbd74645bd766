import { expect, test } from "vitest";
import { LANGUAGES, type KnownLanguage } from "../../src/contract/languages.ts";
import { BUILD_MESSAGES } from "../../src/i18n/build.ts";

const codes = Object.keys(LANGUAGES) as KnownLanguage[];

test.each(codes)("BUILD_MESSAGES.%s say something, and name build.json", (code) => {
  for (const [key, sentence] of Object.entries(BUILD_MESSAGES[code])) {
    expect(sentence, key).toBe((sentence as string).trim());
    expect(sentence, key).not.toBe("");
  }
  expect(BUILD_MESSAGES[code].intro).toContain("build.json");
});

test("BUILD_MESSAGES are translated", () => {
  const english = BUILD_MESSAGES.en;
  for (const code of codes.filter((other) => other !== "en")) {
    const same = Object.entries(BUILD_MESSAGES[code]).filter(
      ([key, sentence]) => english[key as keyof typeof english] === sentence,
    );
    expect(same, code).toEqual([]);
  }
});
