/**
 * Phrases, names and forms of words in several languages are asked for, in a real browser. With SEARCH_QUOTES=all it asks fifty times
 * of each kind.
 */
// @module-tag long
import { describe, expect, test } from "vitest";
import { searchedWords } from "../../src/util/fold.ts";
import {
  ALL_QUOTES,
  ask,
  askNext,
  INFLECTIONS,
  LANGUAGES,
  SEARCH_MS,
  searchedSite,
} from "../support/browser/index.ts";
import { drawn } from "../support/tier.ts";

const { quotes, url, another } = searchedSite();

/** Every n-th, so that a run asks what the last one asked. */
const spread = <T>(items: readonly T[], many: number): T[] =>
  items
    .filter((_, index) => index % Math.max(1, Math.floor(items.length / many)) === 0)
    .slice(0, many);

const ASKED = ALL_QUOTES ? 50 : 5;

/** A longer name is none that a reader types. */
const LONGEST_NAME = 100;

/** Share of the questions whose answer must be among the first three. */
const RIGHT = 0.98;

/** Bytes of the index, as a host sends them, until the first answers are there, and some that follow on a busy machine. */
const BYTES = 250_000;

const letters = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

const LANGUAGES_ASKED = new Set([
  "en",
  "ru",
  "ar",
  "fr",
  ...LANGUAGES,
  ...Object.keys(INFLECTIONS),
]);
let asked = 0;
const wrong: string[] = [];

describe.concurrent.each(drawn([...LANGUAGES_ASKED], 4))("in %s", (language) => {
  test(
    "phrases, names and other forms of a word are asked for",
    { timeout: SEARCH_MS },
    async () => {
      const { page, errors, close } = await another({ locale: language });
      await page.goto(`${url()}search/`);
      const isOne = LANGUAGES.some((one) => one === language);
      const own = quotes.filter((quote) => isOne && quote.language === language);
      for (const { text = "" } of spread(own, ASKED)) {
        const phrase = spaced(text).split(" ").slice(0, 7).join(" ");
        const answers = await askNext(page, phrase);
        const found = answers.find((answer) => letters(answer.text).includes(letters(phrase)));
        if (found === undefined) wrong.push(phrase);
        else expect(found.href).toMatch(/\/sub\/language\/[^#]+#q\d+$/);
        asked++;
      }
      const names = [...new Set(own.map(({ author }) => spaced(author ?? "")))].filter(
        (name) => /\p{L}{3}/u.test(name) && name.length <= LONGEST_NAME,
      );
      for (const name of spread(names, ASKED)) {
        const answers = await askNext(page, name);
        if (!answers.some(({ by }) => letters(by) === letters(name))) wrong.push(name);
        asked++;
      }
      // Of all quotes, some have the form itself.
      for (const [text, form] of ALL_QUOTES ? [] : (INFLECTIONS[language] ?? [])) {
        const [stem = ""] = searchedWords(form);
        expect(searchedWords(text).filter((word) => word.startsWith(stem))).toEqual([]);
        const found = (await askNext(page, form)).find((answer) => answer.text === text);
        expect(found, form).toBeDefined();
        expect(found?.marked).toHaveLength(1);
      }
      expect(errors).toEqual([]);
      await close();
    },
  );
});

test("phrases and names in several languages found their quotes among the first three", () => {
  expect(asked).toBeGreaterThan(ASKED * 4);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(asked * (1 - RIGHT));
});

test("nothing of the index is loaded before the first key, and little until the first answers", async () => {
  const sizes: number[] = [];
  for (const { text = "" } of spread(quotes, ALL_QUOTES ? 11 : 3)) {
    const fresh = await another();
    await fresh.page.goto(`${url()}search/`);
    await fresh.page.waitForFunction(() => document.activeElement?.id === "q");
    expect(fresh.loaded()).toBe(0);
    await ask(fresh.page, url(), text.split(/\s+/).slice(0, 6).join(" "));
    sizes.push(fresh.loaded());
    expect(fresh.errors).toEqual([]);
    await fresh.close();
  }
  sizes.sort((a, b) => a - b);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(BYTES);
});
