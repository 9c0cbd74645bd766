/** What a first page offers to go on with: by how often it occurs there, and the same in every build. */
import { expect, test } from "vitest";
import { cacheKeysOf, makeSite } from "../support/site/index.ts";
import type { QuoteDraft } from "../support/snapshot/index.ts";

let id = 0;
const quotes = (many: number, author: string | null, ...tags: string[]): QuoteDraft[] =>
  Array.from({ length: many }, () => ({ id: ++id, author, tags, likes: id % 7 }));

const COLLECTION = [
  ...quotes(8, "Blake", "tigers", "night"),
  ...quotes(6, "Blake", "tigers", "Étoile"),
  ...quotes(5, "Cowper", "night", "tigers", "etoile"),
  ...quotes(4, null, "tigers"),
  ...quotes(2, "Dryden", "tigers"),
  ...quotes(1, "Eliot", "tigers", "once"),
];

const slugs = (links: readonly { readonly slug: string }[]) => links.map(({ slug }) => slug);

test("a tag offers the tags beside it and its authors, those that share one quote and the nameless left out", () => {
  const { tags, authors } = makeSite(COLLECTION).related("tag", "tigers");
  expect(tags).toEqual([
    { name: "Étoile", slug: "etoile" },
    { name: "night", slug: "night" },
  ]);
  expect(slugs(authors)).toEqual(["blake", "cowper", "dryden"]);
});

test("an author offers the own tags and the authors who share them; a language its tags and authors", () => {
  const site = makeSite(COLLECTION);
  const blake = site.related("author", "blake");
  expect(slugs(blake.tags)).toEqual(["etoile", "night", "tigers"]);
  expect(slugs(blake.authors)).toEqual(["cowper", "dryden"]);
  expect(slugs(site.related("author", "unknown").tags)).toEqual(["tigers"]);
  expect(site.related("author", "unknown").authors).toEqual([]);
  expect(slugs(site.related("language", "en").authors)).toEqual(["blake", "cowper", "dryden"]);
});

test("a listing of two quotes offers nothing, and there is none of a slug that does not exist", () => {
  const site = makeSite(COLLECTION);
  expect(site.related("author", "dryden")).toEqual({ tags: [], authors: [] });
  expect(site.related("tag", "nothing")).toEqual({ tags: [], authors: [] });
});

test("a site whose pages offer none has none in its plan, and its pages do not depend on them", () => {
  const [bare, full] = [makeSite(COLLECTION, { related: false }), makeSite(COLLECTION)];
  expect(bare.related("tag", "tigers")).toEqual({ tags: [], authors: [] });
  const [ours, others] = [cacheKeysOf(full), cacheKeysOf(bare)];
  const differ = Object.keys(ours).filter((path) => ours[path] !== others[path]);
  expect(differ).toContain("/tag/tigers/");
  expect(differ).not.toContain("/tag/tigers/2/");
});

const MANY = Array.from({ length: 20 }, (_, index) =>
  quotes(index < 5 ? 2 : 9, "Blake", "tigers", `tag-${String.fromCharCode(97 + index)}`),
).flat();

test("of many it takes eight, the larger first, and shows them in the order of the alphabet", () => {
  const { tags } = makeSite(MANY).related("tag", "tigers");
  expect(slugs(tags)).toEqual([..."fghijklm"].map((letter) => `tag-${letter}`));
});

test("one quote more does not put one of many in the place of another", () => {
  const more = [...MANY, ...quotes(1, "Blake", "tigers", "tag-t")];
  expect(makeSite(more).related("tag", "tigers")).toEqual(makeSite(MANY).related("tag", "tigers"));
});

test("a night's likes and a quote more leave what is offered as it was", () => {
  const before = makeSite(COLLECTION);
  const night = COLLECTION.map((quote) => ({ ...quote, likes: (quote.likes ?? 0) + 1 }));
  const after = makeSite([...night, ...quotes(1, "Cowper", "night", "tigers")]);
  for (const [kind, slug] of [
    ["tag", "tigers"],
    ["author", "blake"],
    ["language", "en"],
  ] as const) {
    expect(after.related(kind, slug)).toEqual(before.related(kind, slug));
  }
});

test("the first page's cache key covers it, and that of no other page", () => {
  // Of Blake's own quotes nothing changes: another who shares the tag comes to be quoted.
  const before = cacheKeysOf(makeSite(COLLECTION));
  const after = cacheKeysOf(makeSite([...COLLECTION, ...quotes(2, "Gay", "Étoile", "night")]));
  expect(after["/author/blake/"]).not.toBe(before["/author/blake/"]);
  expect(after["/author/blake/2/"]).toBe(before["/author/blake/2/"]);
  expect(after["/author/dryden/"]).toBe(before["/author/dryden/"]);
});
