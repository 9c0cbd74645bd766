import { expect, test } from "vitest";
import type { InterfaceLanguage } from "../../src/i18n/translation.ts";
import { TRANSLATIONS } from "../../src/i18n/translations.ts";

const codes = Object.keys(TRANSLATIONS) as InterfaceLanguage[];

test.each(codes)("build of %s say something, and name build.json", (code) => {
  for (const [key, sentence] of Object.entries(TRANSLATIONS[code].build)) {
    expect(sentence, key).toBe((sentence as string).trim());
    expect(sentence, key).not.toBe("");
  }
  expect(TRANSLATIONS[code].build.intro).toContain("build.json");
});

test("builds are translated", () => {
  const english = TRANSLATIONS.en.build;
  for (const code of codes.filter((other) => other !== "en")) {
    const same = Object.entries(TRANSLATIONS[code].build).filter(
      ([key, sentence]) => english[key as keyof typeof english] === sentence,
    );
    expect(same, code).toEqual([]);
  }
});
