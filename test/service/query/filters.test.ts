/** Every filter, alone and together. */
import { expect, test } from "vitest";
import type { StoredQuote } from "../../../src/service/quote.ts";
import { ask, holding, pksOf, quote } from "../support/running.ts";

const shelf: readonly StoredQuote[] = [
  quote(1, { author: "Molière", tags: ["love", "life"], likes: 5, curated: true }),
  quote(2, { author: "MOLIÈRE, Jean", tags: ["love"], likes: 9, language: "fr" }),
  quote(3, { author: "Işık 100%", tags: ["life", "Love"], likes: 5, language: "tr" }),
  quote(4, { author: "Лев Толстой", quote: "😀😀😀", likes: -2, language: "ru", curated: true }),
  quote(5, { author: "ΣΟΦΟΚΛΗΣ", quote: "ab", tags: ["life", "love", "x"], language: "el" }),
  quote(6, { author: null, quote: "a\u0000bc", tags: [], language: "en" }),
  quote(7, { author: "Strauß_", tags: ["'; DROP TABLE quotes;--"], language: "de" }),
  quote(9, { author: "", tags: ["love"], likes: 9, language: "en", curated: true }),
];

test.each([
  ["everything, by pk", "", [1, 2, 3, 4, 5, 6, 7, 9]],
  ["lang", "lang=en", [1, 6, 9]],
  ["language", "language=ru", [4]],
  ["lang and language that agree", "lang=fr&language=fr", [2]],
  ["lang and language that do not", "lang=fr&language=en", []],
  ["a language of no quote", "lang=xx", []],
  ["curated", "curated=1", [1, 4, 9]],
  ["curated in words", "curated=True", [1, 4, 9]],
  ["not curated is no filter", "curated=0", [1, 2, 3, 4, 5, 6, 7, 9]],
  ["one tag, its case kept", "tags=love", [1, 2, 5, 9]],
  ["the twin of that tag", "tags=Love", [3]],
  ["two tags: both", "tags=love,life", [1, 5]],
  ["three tags, blanks and repeats", "tags=life,%20x%20,love,,life", [5]],
  ["a tag of no quote", "tags=love,nothing", []],
  ["a tag that looks like SQL", "tags='; DROP TABLE quotes;--", [7]],
  ["author, any case, any place in the name", "author=molière", [1, 2]],
  ["author in Cyrillic", "author=ТОЛСТ", [4]],
  ["author in Greek, whichever sigma", "author=σοφοκλης", [5]],
  ["author in Turkish, whichever i", "author=IŞIK", [3]],
  ["author with a sharp s", "author=STRAUSS", [7]],
  ["a per cent sign is itself", "author=%25", [3]],
  ["an underscore is itself", "author=_", [7]],
  ["no author is never found", "author=null", []],
  ["a blank filter is none", "author=&tags=&lang=&minlength=&order=", [1, 2, 3, 4, 5, 6, 7, 9]],
  ["length counts code points", "minlength=3&maxlength=3", [4]],
  ["length does not stop at a NUL", "minlength=4&maxlength=4", [6]],
  ["bounds are inclusive", "maxlength=2", [5]],
  ["no length is negative", "maxlength=-1", []],
  ["a bound beyond any number", "minlength=99999999999999999999999", []],
  ["most liked first, ties by pk", "order=-likes", [2, 9, 1, 3, 5, 6, 7, 4]],
  ["a part of a filtered list", "tags=love&limit=2&offset=1", [2, 5]],
  ["a part of a sorted list", "order=-likes&limit=3&offset=5", [6, 7, 4]],
  ["all at once", "order=-likes&tags=love&lang=en&curated=1&author=mol&minlength=1", [1]],
])("%s", async (_, query, expected) => {
  const { url } = await holding(shelf);
  expect(await pksOf(`${url}/apiv1/quotes/?limit=50&${query}`)).toEqual(expected);
});

test.each(["minlength=abc", "maxlength=1.5", "minlength=1e3", "curated=2", "order=price"])(
  "%s is a bad request",
  async (query) => {
    const { url } = await holding(shelf);
    const { status, body } = await ask(`${url}/apiv1/quotes/?${query}`);
    expect([status, body]).toEqual([400, { errno: 400, errmsg: "Bad Request" }]);
  },
);

test("tags are listed by name with a slug each, though two are alike", async () => {
  const { url } = await holding(shelf);
  const { body } = await ask(`${url}/apiv1/tags/?limit=20`);
  const { count, results } = body as { count: number; results: { name: string; slug: string }[] };
  const names = ["'; DROP TABLE quotes;--", "Love", "life", "love", "x"];
  expect(results.map(({ name }) => name)).toEqual(names);
  expect(new Set(results.map(({ slug }) => slug)).size).toBe(count);
  expect(results.map(({ slug }) => slug)).toContain("love");
});
