import { expect, test } from "vitest";
import type { InterfaceLanguage } from "../../src/i18n/translation.ts";
import { TRANSLATIONS } from "../../src/i18n/translations.ts";

const codes = Object.keys(TRANSLATIONS) as InterfaceLanguage[];
const sentences = (code: InterfaceLanguage) =>
  Object.entries({ ...TRANSLATIONS[code].vote.card, ...TRANSLATIONS[code].vote.states });

test.each(codes)("vote of %s say something for each state, with one blank", (code) => {
  for (const [key, sentence] of sentences(code)) {
    expect(sentence, key).toBe(sentence.trim());
    expect(sentence, key).not.toBe("");
    expect(sentence.match(/\{\w*\}/g) ?? [], key).toEqual(key === "laterIn" ? ["{when}"] : []);
  }
});

test.each(codes)("vote of %s tell every state from every other", (code) => {
  const states = Object.values(TRANSLATIONS[code].vote.states);
  expect(new Set(states).size).toBe(states.length);
  const { up, down, report, confirm } = TRANSLATIONS[code].vote.card;
  expect(new Set([up, down, report, confirm]).size).toBe(4);
});

test("votes are translated", () => {
  const english = new Map(sentences("en"));
  for (const code of codes.filter((other) => other !== "en")) {
    const same = sentences(code).filter(([key, sentence]) => english.get(key) === sentence);
    expect(same, code).toEqual([]);
  }
});
