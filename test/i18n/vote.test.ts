import { expect, test } from "vitest";
import { LANGUAGES, type KnownLanguage } from "../../src/contract/languages.ts";
import { VOTE_MESSAGES } from "../../src/i18n/vote.ts";

const codes = Object.keys(LANGUAGES) as KnownLanguage[];
const sentences = (code: KnownLanguage) =>
  Object.entries({ ...VOTE_MESSAGES[code].card, ...VOTE_MESSAGES[code].states });

test.each(codes)("VOTE_MESSAGES.%s say something for each state, with one blank", (code) => {
  for (const [key, sentence] of sentences(code)) {
    expect(sentence, key).toBe(sentence.trim());
    expect(sentence, key).not.toBe("");
    expect(sentence.match(/\{\w*\}/g) ?? [], key).toEqual(key === "laterIn" ? ["{when}"] : []);
  }
});

test.each(codes)("VOTE_MESSAGES.%s tell every state from every other", (code) => {
  const states = Object.values(VOTE_MESSAGES[code].states);
  expect(new Set(states).size).toBe(states.length);
  const { up, down, report, confirm } = VOTE_MESSAGES[code].card;
  expect(new Set([up, down, report, confirm]).size).toBe(4);
});

test("VOTE_MESSAGES are translated", () => {
  const english = new Map(sentences("en"));
  for (const code of codes.filter((other) => other !== "en")) {
    const same = sentences(code).filter(([key, sentence]) => english.get(key) === sentence);
    expect(same, code).toEqual([]);
  }
});
