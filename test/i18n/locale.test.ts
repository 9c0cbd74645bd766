import { describe, expect, test } from "vitest";
import { languageOf } from "../../src/contract/languages.ts";
import { TRANSLATIONS, translationOf, localeOf } from "../../src/i18n/locale.ts";
import { readMessages } from "../../src/i18n/site-messages.ts";

const codes = Object.keys(TRANSLATIONS);

/** Every sentence of a language with its key, plural forms as `count.quotes.one`. */
function sentences(value: unknown, key = ""): [key: string, sentence: string][] {
  if (typeof value === "string") return [[key, value]];
  return Object.entries(value as object).flatMap(([name, inner]) =>
    sentences(inner, key === "" ? name : `${key}.${name}`),
  );
}

const placeholdersOf = (sentence: string) =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

const english = new Map(sentences(translationOf("en")));

test("what is said of the collection holds for a file of quotes as for a service", () => {
  const shown = [...english].filter(([key]) => /^page\.(?:about|labels\.)/.test(key));
  expect(shown.length).toBeGreaterThan(6);
  expect(shown.filter(([, sentence]) => /service/i.test(sentence))).toEqual([]);
});

describe.each(codes)("TRANSLATIONS.%s", (code) => {
  const own = sentences(translationOf(code));

  test("has every plural form its grammar knows, and no other", () => {
    const grammar = new Intl.PluralRules(languageOf(code).tag).resolvedOptions().pluralCategories;
    for (const forms of Object.values(translationOf(code).page.count)) {
      expect(Object.keys(forms).sort()).toEqual([...grammar].sort());
    }
  });

  test("fills the same placeholders as English, and leaves nothing empty", () => {
    for (const [key, sentence] of own) {
      expect(sentence, key).toMatch(/^\S(?:.*\S)?$/su);
      const small = /\.(?:zero|one|two)$/.test(key);
      if (small && placeholdersOf(sentence).length === 0) continue;
      const wanted = key.startsWith("page.count.") ? ["n"] : placeholdersOf(english.get(key) ?? "");
      expect(placeholdersOf(sentence), key).toEqual(wanted);
    }
  });

  test("has no key that English lacks", () => {
    const source = { name: code, text: JSON.stringify(TRANSLATIONS[code]) };
    expect(readMessages(code, source)).toEqual(TRANSLATIONS[code]);
  });

  test.skipIf(code === "en")("has no whole sentence and nothing of a vote in English", () => {
    const same = own.filter(
      ([key, sentence]) =>
        (sentence.includes(" ") || key.startsWith("vote.")) && english.get(key) === sentence,
    );
    expect(same).toEqual([]);
  });

  test("has another sentence for each state and button of a vote", () => {
    const { card, states } = translationOf(code).vote;
    const { up, down, report, confirm } = card;
    for (const said of [Object.values(states), [up, down, report, confirm]]) {
      expect(new Set(said).size).toBe(said.length);
    }
  });
});

test.each([
  ["en", 1, "1 quote"],
  ["en", 1_234, "1,234 quotes"],
  ["fr", 1_000_000, "1 000 000 de citations"],
  ["de", 2_500, "2.500 Zitate"],
  ["ru", 22, "22 цитаты"],
  ["ru", 25, "25 цитат"],
  ["ar", 2, "اقتباسان"],
  ["ar", 7, "7 اقتباسات"],
  ["ar", 11, "11 اقتباسًا"],
  ["he", -1, "\u200E-1 ציטוטים"],
  ["ru", -1, "-1 цитата"],
  ["be", 25, "২৫টি উদ্ধৃতি"],
])("count() in %s of %d is %s", (code, value, expected) => {
  expect(localeOf(code, "en").count("quotes", value).replace(/\s/g, " ")).toBe(expected);
});

test.each([
  ["en", "November 21, 2026"],
  ["be", "২১ নভেম্বর, ২০২৬"],
  ["he", "21 בנובמבר 2026"],
])("date() in %s is in UTC", (code, expected) => {
  expect(localeOf(code, "en").date("2026-11-21T23:59:59Z")).toBe(expected);
});

test("date() gives back what is no date", () => {
  expect(localeOf("en", "en").date("yesterday")).toBe("yesterday");
});

test("fill() puts a value in as it is, also one that looks like a pattern", () => {
  expect(localeOf("en", "en").fill("attribution", { name: "$& {name}" })).toBe(
    "Quotes from $& {name}",
  );
});

test("localeOf() falls back to the site's language, then to English", () => {
  expect(localeOf("cs", "de").code).toBe("de");
  expect(localeOf("cs", "xx").code).toBe("en");
  expect(localeOf("be", "en").language.tag).toBe("bn");
  expect(localeOf("AR", "en").code).toBe("ar");
});

test("label() names what it does not know", () => {
  const { label } = localeOf("en", "en");
  expect(label("complete:proved")).toContain("proved");
  expect(label("toString")).toBe("Not known.");
  expect(label(null)).toBe("Not known.");
});

test("no line of French begins with punctuation that a space stands before", () => {
  const breaks = sentences(translationOf("fr")).filter(([, sentence]) =>
    / [;:!?»]|« /u.test(sentence),
  );
  expect(breaks).toEqual([]);
});
