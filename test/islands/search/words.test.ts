/** How languages stand to the words of a query, over HTTP from the files that a browser loads. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fewerWords, keysForQuotes } from "../../../src/islands/search/fewer.ts";
import { lookUpWords } from "../../../src/islands/search/words.ts";
import { makeLists } from "../../../src/search/lists.ts";
import { WordSet } from "../../../src/search/word-set.ts";

const TEXTS = {
  en: "Liberty is hope. Freedom! Don't ask the straße, nor a cafe of Morton. Canter, canted, cantel, canten.",
  fr: "La liberté, un café, des œuvres. La mort. L’oubli d’autrui, chef-d’orchestre; l’amour, amour.",
  pt: "A liberté do café e as libertes.",
  de: "Die Straße, das Café.",
  cs: "strasse",
  zh: "己所不欲，勿施于人。",
  ar: "الحياة جميلة",
};

function wordsOf(text: string): string[] {
  const words = new WordSet();
  words.add(text);
  return words.sorted();
}

const files = makeLists(
  { author: [], tag: [] },
  new Map(Object.entries(TEXTS).map(([slug, text]) => [slug, wordsOf(text)])),
);
const server = createServer((request, answer) => {
  const content = files.get(request.url?.split("/_lists/")[1] ?? "");
  answer.writeHead(content === undefined ? 404 : 200).end(content);
});
let folder = "";

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  folder = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pagefind/`;
});
afterAll(() => void server.close());

const CODES = [...Object.keys(TEXTS), "xx"];

/** The codes of the languages in each rank but `similar`. */
async function ranked(text: string): Promise<Record<string, string[]>> {
  const { standingOf } = await lookUpWords(text, folder);
  const ranks: Record<string, string[]> = {};
  for (const code of CODES) {
    const { rank } = standingOf(code);
    if (rank !== "similar" && code !== "xx") (ranks[rank] ??= []).push(code);
  }
  return ranks;
}

test.each([
  ["café", { exact: ["fr", "pt", "de"], folded: ["en"] }],
  ["cafe", { exact: ["en"], folded: ["fr", "pt", "de"] }],
  ["strasse", { exact: ["cs"], folded: ["en", "de"] }],
  ["OEUVRES", { folded: ["fr"] }],
  ["dont", { exact: ["en"] }],
  ["don’t", { exact: ["en"] }],
  ["حياة", { folded: ["ar"] }],
  ["不欲", { exact: ["zh"] }],
  ["所欲", {}],
  // Forms, and words that are not finished.
  ["hoping", { stem: ["en"] }],
  ["mor", { stem: ["en", "fr"] }],
  ["mort", { exact: ["fr"], stem: ["en"] }],
  // The weakest word counts.
  ["liberté mort", { exact: ["fr"], stem: ["en"] }],
  ["kubernetes", {}],
])("%j is in %j", async (text, expected) => {
  expect(await ranked(text)).toEqual(expected);
});

test("a language that is not in the list may have any word", async () => {
  const { standingOf } = await lookUpWords("kubernetes", folder);
  expect(standingOf("xx").rank).toBe("stem");
});

test("a language gives the spellings that its index takes for different words, the typed one first", async () => {
  const { standingOf } = await lookUpWords("strasse", folder);
  expect(standingOf("de").spellings.get("strasse")).toEqual(["straße"]);
  const accents = await lookUpWords("libertes", folder);
  expect(accents.standingOf("pt").spellings.get("libertes")).toEqual(["libertes"]);
});

test("a word that a language has only inside of others is searched by them", async () => {
  for (const [word, searched] of [
    ["oubli", ["loubli"]],
    ["orchestre", ["chefdorchestre"]],
    ["chef", ["chef"]],
    ["amour", ["amour"]],
  ] as const) {
    const standing = (await lookUpWords(word, folder)).standingOf("fr");
    expect(standing.rank, word).toBe("exact");
    expect(standing.spellings.get(word)).toEqual(searched);
  }
});

test("near words are offered for a word that no language has, in the place of it", async () => {
  expect((await lookUpWords("feredom", folder)).similar(new Set())).toEqual(["freedom"]);
  expect((await lookUpWords("the fredom", folder)).similar(new Set())).toEqual(["the freedom"]);
  expect((await lookUpWords("kubernetes", folder)).similar(new Set())).toEqual([]);
  expect((await lookUpWords("mort", folder)).similar(new Set())).toEqual([]);
  expect((await lookUpWords("cantex", folder)).similar(new Set())).toHaveLength(3);
});

test("no word is offered in the place of one for quotes", async () => {
  const words = await lookUpWords("fredom liberte", folder);
  expect(words.similar(new Set())).toEqual(["freedom liberte"]);
  expect(words.similar(keysForQuotes(["fredom"]))).toEqual([]);
});

test.each([
  ["quotes of hope", ["hope"]],
  ["citations des œuvres", ["œuvres"]],
  ["freedom of hope xylofonqx", ["freedom of hope", "freedom hope", "freedom"]],
  ["freedom:hope,xylofonqx", ["freedom hope", "freedom"]],
  ["hope:xylofonqx", ["hope"]],
])("of %j are searched, where no quote has all: %j", async (text, expected) => {
  const slugs = Object.keys(TEXTS);
  expect(await fewerWords(text, [], ["citations"], slugs, folder)).toEqual(expected);
});
