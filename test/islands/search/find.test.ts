/** What a query asks for, which languages are searched for it, and how well a card answers. */
import { expect, test } from "vitest";
import { cardsOf, type IndexedCard } from "../../../src/islands/search/pagefind.ts";
import { inOrder, inScript } from "../../../src/islands/search/languages-asked.ts";
import { isCertain, scoreFor } from "../../../src/islands/search/ranking.ts";
import { scoreOf, termsOf, type Query } from "../../../src/islands/search/query.ts";
import { readTyped, shownQuery } from "../../../src/islands/search/typed.ts";

const SITE = ["en", "de", "ru", "uk", "zh", "fr", "es"].map((tag) => ({ slug: tag, tag }));

test.each([
  [
    ["en", "de-DE"],
    ["en", "de", "ru", "uk", "zh", "fr", "es"],
  ],
  [
    ["fr", "uk-UA", "ru"],
    ["fr", "uk", "ru", "en", "de", "zh", "es"],
  ],
  [[], ["en", "de", "ru", "uk", "zh", "fr", "es"]],
])(
  "languages are in the order of the page, the reader and their size: %j",
  (preferred, expected) => {
    expect(inOrder(SITE, preferred).map(({ slug }) => slug)).toEqual(expected);
  },
);

test.each([
  ["Freiheit", ["en", "de", "fr", "es"]],
  ["свобода", ["ru", "uk"]],
  ["生活", ["zh"]],
  ["1984", ["en", "de", "ru", "uk", "zh", "fr", "es"]],
])("without the list of words, %j may be in %j", (text, expected) => {
  expect(inScript(text, SITE).map(({ slug }) => slug)).toEqual(expected);
});

test("a language in a script that Unicode does not name is looked for, too", () => {
  const odd = { slug: "de-latf", tag: "de-latf" };
  expect(inScript("Freiheit", [...SITE, odd])).toContain(odd);
});

test("terms are the words of a text, each once, the longest first", () => {
  expect(termsOf("to be or “not” to be", "en")).toEqual([
    { word: "not", at: 3 },
    { word: "to", at: 0 },
    { word: "be", at: 1 },
    { word: "or", at: 2 },
  ]);
  // Vowel signs are marks: the first word is longer and has fewer letters.
  expect(termsOf("हैं, कमल", "hi").map(({ word }) => word)).toEqual(["कमल", "हैं"]);
  expect(termsOf("\u200Fسلام", "ar")).toEqual([{ word: "سلام", at: 0 }]);
  expect(termsOf("生活的美好", "zh").length).toBeGreaterThan(1);
});

test.each([
  ["hope:fear", ["hope", "fear"]],
  ["(hope),fear;no!", ["hope", "fear", "no"]],
  // A number and some words have punctuation inside.
  ["john 3:16", ["john", "3:16"]],
  ["AT&T 1,000", ["1,000", "AT&T"]],
  ["self-respect don‘t צה״ל", ["self-respect", "don‘t", "צה״ל"]],
  // A dash or an emoji has a place of its own, and is no word.
  ["love — 🌱 ...", ["love"]],
])("punctuation separates the terms of %j", (text, expected) => {
  expect(termsOf(text, "en").map(({ word }) => word)).toEqual(expected);
});

const OWN = { author: "Autor", tag: "Schlagwort", language: "Sprache" };
const NAMED = [
  { slug: "de", names: ["de", "Deutsch", "German"] },
  { slug: "zh-hans", names: ["zh-hans", "zh-Hans", "zh", "简体中文", "Simplified Chinese"] },
  { slug: "zh-hant", names: ["zh-hant", "zh-Hant", "zh", "繁體中文", "Chinese (Taiwan)"] },
];

test.each([
  ["lang:de Liebe", "Liebe", ["de"]],
  ["Liebe language: GERMAN", "Liebe", ["de"]],
  ["Sprache:Deutsch", "", ["de"]],
  ["lang:zh 生活", "生活", ["zh-hans", "zh-hant"]],
  ["lang:simplified chinese 生活", "生活", ["zh-hans"]],
  ["lang:chinese (taiwan) 生活", "生活", ["zh-hant"]],
  ["lang:de lang:zh-hans author:Laozi", "Laozi", ["de", "zh-hans"]],
  // No language of the site, or no hint.
  ["language: the root of all", "language: the root of all", []],
  ["lang:dew", "lang:dew", []],
  ["my:de slang:de", "my:de slang:de", []],
  ["lang:", "lang:", []],
])("of %j, %j is searched in %j", (typed, text, languages) => {
  expect(readTyped(typed, OWN, NAMED)).toMatchObject({ text, languages });
});

test("on a site without languages a hint is searched", () => {
  expect(readTyped("lang:de", OWN, [])).toMatchObject({ text: "lang:de", languages: [] });
});

test.each([
  ["author:einstein", "einstein", "author"],
  ["Autor: “Albert Einstein”", "“Albert Einstein”", "author"],
  ["by:einstein tag:life", "einstein life", undefined],
  ["life tag:love", "life love", "tag"],
  ["thee:me author:", "thee:me author:", undefined],
  ["<b>love</b>", "love", undefined],
  ["2 < 3 > 1", "2 < 3 > 1", undefined],
  ["<script>alert(1)</script>", "alert(1)", undefined],
  ["<br>", "<br>", undefined],
  ["letter ".repeat(1_000), "letter ".repeat(42).trim(), undefined],
])("of %j, %j is searched", (typed, text, kind) => {
  expect(readTyped(typed, OWN, NAMED)).toEqual({ text, kind, languages: [] });
});

test.each([
  ["“love is blind”", "love is blind"],
  ["\u202E«love»", "love"],
  ["he said “no", "he said no"],
  ["“”", "“”"],
])("a message shows %j as %j", (text, shown) => {
  expect(shownQuery(text)).toBe(shown);
});

const card = (over: Partial<IndexedCard>): IndexedCard => ({
  id: 1,
  path: "/language/en/#q1",
  rank: 0,
  words: "Hope is the thing with feathers".split(" "),
  joiner: " ",
  author: "Emily Dickinson",
  tags: ". hope. birds.",
  found: [],
  foundWords: [],
  ...over,
});

const query = (text: string, over: Partial<Query> = {}): Query => ({
  text,
  tag: "",
  length: "",
  among: null,
  ...over,
});

/** The score of a query of which the language has the stem of each word, or of none. */
const score = (
  text: string,
  over: Partial<IndexedCard> = {},
  filters: Partial<Query> = {},
  hasStems = true,
) => {
  const terms = termsOf(text, "en").slice(0, 3);
  return scoreOf(query(text, filters), terms, new Set(hasStems ? terms : []), card(over));
};

test("an exact word comes before a folded one, and that before a form of it", () => {
  const words = "La liberté est une fête".split(" ");
  const scores = [
    score("liberté", { words, foundWords: ["liberté"] }),
    score("liberte", { words, foundWords: ["liberté"] }),
    score("libertés", { words, foundWords: ["liberté"] }),
  ];
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores).size).toBe(scores.length);
  // The weakest word counts.
  expect(score("liberté fete", { words, foundWords: ["liberté", "fête"] })).toBeLessThan(
    scores[0] ?? 0,
  );
});

test("a name comes before a sentence, a sentence before words, words before their forms", () => {
  const scores = [
    score("emily dickinson"),
    score("the thing with feathers"),
    score("Dickinson"),
    score("thing", { foundWords: ["thing"] }),
    score("hope feathers", { foundWords: ["Hope", "feathers"] }),
    score("hoping feathered", { foundWords: ["Hope", "feathers"] }),
  ];
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores).size).toBe(scores.length);
  expect(scores.at(-1)).toBeGreaterThan(0);
});

test.each([
  ["exact", "sentence", true],
  ["folded", "name", true],
  ["stem", "sentence", false],
  ["exact", "author", false],
  ["exact", "phrase", false],
  ["exact", "apart", false],
] as const)("one answer with the words %s and their place %s is enough: %s", (...row) => {
  const [rank, place, isEnough] = row;
  for (const share of [0, 1]) expect(isCertain(scoreFor(rank, place, share))).toBe(isEnough);
});

test("a card without one of the words, or with a word of another stem, is no answer", () => {
  expect(score("hope despair", { foundWords: ["Hope"] })).toBe(0);
  expect(score("thinking", { foundWords: ["th"] }, {}, false)).toBe(0);
  // Unfinished words are looked for as they are typed.
  expect(score("fea", { foundWords: ["feathers"] }, {}, false)).toBeGreaterThan(0);
});

test("a phrase in quotation marks has to be there as it is", () => {
  expect(score("“thing with feathers”")).toBeGreaterThan(0);
  expect(score('"feathers with thing"', { foundWords: ["thing", "feathers"] })).toBe(0);
});

test("filters look at the card and not at its page", () => {
  expect(score("", {}, { tag: "Birds" })).toBeGreaterThan(0);
  expect(score("", {}, { tag: "bird" })).toBe(0);
  expect(score("", {}, { length: "short" })).toBeGreaterThan(0);
  expect(score("", {}, { length: "long" })).toBe(0);
  expect(score("", {}, { among: new Set([1]) })).toBeGreaterThan(0);
  expect(score("", {}, { among: new Set([2]) })).toBe(0);
});

test.each([
  [80, "short"],
  [81, "medium"],
  [240, "medium"],
  [241, "long"],
] as const)("a quote of %i letters is %s", (letters, length) => {
  const words = ["a".repeat(letters)];
  for (const step of ["short", "medium", "long"] as const) {
    expect(score("", { words }, { length: step }) > 0).toBe(step === length);
  }
});

test("cards begin and end at their own two anchors, and found words are counted from their first", () => {
  const anchor = (element: string, id: string, location: number, text = "") => ({
    element,
    id,
    location,
    text,
  });
  const content = "First words here Ann Lee. love. Second Bo. On Bo. Bo.";
  const anchors = [
    anchor("article", "q1", 0),
    anchor("article", "q9", 1),
    anchor("p", "b1", 3, "Ann Lee"),
    anchor("article", "q2", 6),
    anchor("p", "b2", 7, "Bo"),
    anchor("p", "s2", 8, "On Bo"),
  ];
  const placed = { raw_url: "/language/en/", perPage: 50, ranks: [49, 50] };
  const cards = cardsOf({ ...placed, content, raw_content: content, anchors }, [1, 5, 6]);
  expect(cards.map(({ path }) => path)).toEqual(["/language/en/#q1", "/language/en/2/#q2"]);
  expect(cards).toMatchObject([
    { id: 1, words: ["First", "words", "here"], author: "Ann Lee", tags: ". love.", found: [1, 5] },
    { id: 2, words: ["Second"], author: "Bo", tags: ". Bo.", found: [0], foundWords: ["Second"] },
  ]);
});
