/** The order of search answers, from a bundle as the browser loads it. */
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openSearch } from "../../src/islands/search/find.ts";
import { folderWith } from "../support/run/index.ts";

const CARDS = [
  // On one page the words far apart, and then as a phrase; on a later one, near each other.
  ["hope is a thing that sometimes has feathers", "hope feathers"],
  ["hope and feathers"],
];

/** Two listing pages with anchors as Pagefind finds them, and every word as found. */
const BUNDLE = `
const pages = ${JSON.stringify(CARDS)}.map((texts, page) => {
  const words = [];
  const anchors = texts.flatMap((text, at) => {
    const id = page * 10 + at + 1;
    const article = { element: "article", id: "q" + id, text: "", location: words.length };
    words.push(...text.split(" "));
    const author = { element: "p", id: "b" + id, text: "Ann", location: words.length };
    words.push("Ann.");
    return [article, author];
  });
  const content = words.join(" ");
  const found = words.flatMap((word, at) => (/^(hope|feathers)$/.test(word) ? [at] : []));
  const data = async () => ({ raw_url: "/" + page + "/", content, raw_content: content, anchors });
  return { id: "page-" + page, words: found, data };
});
export const createInstance = () => ({ filters: async () => ({}), search: async () => ({ results: pages }) });
`;

test("next() has the best answers first, whichever page they are on", async () => {
  const folder = folderWith({ "en/pagefind.js": BUNDLE, "en/package.json": '{"type":"module"}' });
  const query = { text: "hope feathers", tag: "", length: "", among: null } as const;
  const address = `${pathToFileURL(folder).href}/`;
  const search = openSearch(query, { slug: "en", tag: "en" }, address);
  const answers = [];
  while (search.more) answers.push(...(await search.next()));
  const ids = answers.map(({ card }) => card.id);
  const scores = answers.map(({ score }) => score);
  expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 11]);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(ids[0]).toBe(2);
});
