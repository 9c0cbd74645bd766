/** What moved from night to night, and where old addresses lead then. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AddressHistory, type HostedSite } from "../../src/hosts/addresses.ts";
import { emptyFiles, folderWith, tempFolder } from "../support/run/index.ts";
import { makeSite } from "../support/site/index.ts";

interface Entry {
  readonly id: number;
  readonly author: string | null;
  readonly tags?: readonly string[];
  /** Has a page of its own; default no. */
  readonly page?: boolean;
}

/** A site of few quotes, the first the most liked, and a feed of every listing. */
function siteOf(quotes: readonly Entry[], perPage = 2): HostedSite {
  const drafts = quotes.map(({ id, author, tags = [] }) => ({ id, author, tags, likes: 99 - id }));
  const quotePages = quotes.filter(({ page }) => page === true).length;
  const reader = makeSite(drafts, { perPage, quotePages });
  onTestFinished(() => reader.close());
  const firstPages = [...reader.pagesOf("author"), ...reader.pagesOf("tag")].filter(
    ({ number }) => number === 1,
  );
  const feeds = emptyFiles(...firstPages.map(({ path }) => join(path, "feed.xml")));
  return { reader, outDir: folderWith(feeds) };
}

/** Redirects of authors, tags and quotes after the last of some nights. */
function after(...nights: readonly (readonly Entry[])[]): Record<string, string> {
  return afterIn(tempFolder("state"), nights);
}

function afterIn(
  stateDir: string,
  nights: readonly (readonly Entry[])[],
  perPage?: number,
): Record<string, string> {
  let last: HostedSite | undefined;
  for (const quotes of nights) {
    using history = new AddressHistory(stateDir);
    history.note((last = siteOf(quotes, perPage)));
  }
  using history = new AddressHistory(stateDir);
  const redirects = [...history.redirects(last ?? siteOf([]))];
  const shown = redirects.filter(({ from }) => !from.startsWith("/language/"));
  return Object.fromEntries(shown.map(({ from, to }) => [from, to]));
}

const by = (author: string | null, ids: readonly number[], tags: readonly string[] = []): Entry[] =>
  ids.map((id) => ({ id, author, tags }));

const ADA = by("ada", [1, 2, 3]);
const BO = by("bo", [7, 8]);

const RENAMED = by("ada-lovelace", [1, 2, 3]);
const PAGES = BO.map((quote) => ({ ...quote, page: true }));
const [A, B, C] = [by("a", [1, 2]), by("b", [1, 2]), by("c", [1, 2])];

test.each<[string, Entry[][], Record<string, string>]>([
  ["nothing where a site stays", [ADA], {}],
  ["nothing where a site grows", [ADA, [...ADA, ...BO]], {}],
  [
    "every page and feed of an author under another name to the new one",
    [
      [...ADA, ...BO],
      [...RENAMED, ...BO],
    ],
    {
      "/author/ada/": "/author/ada-lovelace/",
      "/author/ada/2/": "/author/ada-lovelace/",
      "/author/ada/feed.xml": "/author/ada-lovelace/feed.xml",
    },
  ],
  [
    "a tag that was merged to the tag that its quotes gained",
    [by("bo", [1, 2, 3], ["self-help", "wit"]), by("bo", [1, 2, 3], ["growth", "wit"])],
    {
      "/tag/self-help/": "/tag/growth/",
      "/tag/self-help/2/": "/tag/growth/",
      "/tag/self-help/feed.xml": "/tag/growth/feed.xml",
    },
  ],
  [
    "a tag that its quotes lost to all tags, not to one they had beside it",
    [by("bo", [1, 2, 3], ["rare", "wit"]), by("bo", [1, 2, 3], ["wit"])],
    { "/tag/rare/": "/tags/", "/tag/rare/2/": "/tags/" },
  ],
  [
    "pages that a listing lost to the page that is last now",
    [by("bo", [1, 2, 3, 4, 5, 6, 7]), by("bo", [1, 2, 3])],
    { "/author/bo/3/": "/author/bo/2/", "/author/bo/4/": "/author/bo/2/" },
  ],
  [
    "such a page on, where its target only shrinks",
    [by("bo", [1, 2, 3, 4, 5]), by("bo", [1, 2, 3]), by("bo", [1])],
    { "/author/bo/2/": "/author/bo/", "/author/bo/3/": "/author/bo/" },
  ],
  [
    "a quote that lost its page to its place",
    [PAGES, BO],
    { "/quote/7/": "/author/bo/#q7", "/quote/8/": "/author/bo/#q8" },
  ],
  ["a quote that left nowhere", [PAGES, by("bo", [8])], { "/quote/8/": "/author/bo/#q8" }],
  ["it nowhere later", [PAGES, BO, by("bo", [8])], { "/quote/8/": "/author/bo/#q8" }],
  [
    "a page that was back and leaves for good nowhere",
    [by("ada", [1, 2]), by("eve", [1, 2]), [...by("ada", [1]), ...by("eve", [2])], by("eve", [2])],
    {},
  ],
  ["an author whose quotes left nowhere", [[...ADA, ...BO], BO], {}],
  ["an earlier name of such an author nowhere", [[...ADA, ...BO], [...RENAMED, ...BO], BO], {}],
])("redirects() lead %s", (_, nights, redirects) => {
  expect(after(...nights)).toEqual(redirects);
});

test("redirects() of a damaged history begin anew", () => {
  const stateDir = tempFolder("state");
  const damaged = "no database, and longer than its header".repeat(9);
  writeFileSync(join(stateDir, "addresses.sqlite"), damaged);
  const nights = [
    [...ADA, ...BO],
    [...RENAMED, ...BO],
  ];
  expect(afterIn(stateDir, nights)).toHaveProperty(["/author/ada/"]);
});

test("redirects() lead from an author whose quotes went to several others to none of them", () => {
  const scattered = [...by("cy", [1]), ...by("di", [2]), ...by("ed", [3])];
  // A listing is recognised by quotes of its first page.
  expect(afterIn(tempFolder("state"), [ADA, scattered], 3)).toEqual({});
});

test("redirects() have no chain and no loop, and none from a page that is back", () => {
  expect(after(A, B, C)).toMatchObject({ "/author/a/": "/author/c/", "/author/b/": "/author/c/" });
  const back = after(A, B, C, A);
  expect(back).not.toHaveProperty(["/author/a/"]);
  expect(back).toMatchObject({ "/author/b/": "/author/a/", "/author/c/": "/author/a/" });
  expect(after(A, B, A, B)).toMatchObject({ "/author/a/": "/author/b/" });
});

test("of a quote that left, not even the state keeps that it was there", () => {
  for (const nights of [
    [PAGES, by("bo", [8])],
    [PAGES, BO, by("bo", [8])],
  ]) {
    const stateDir = tempFolder("state");
    afterIn(stateDir, nights);
    using history = new AddressHistory(stateDir);
    expect(history.moves().map(({ source }) => source)).toEqual(["/quote/8/"]);
  }
});

test("redirects() never lead away from a page that exists, nor in a circle", () => {
  using history = new AddressHistory(tempFolder("state"));
  for (const night of [A, B, A, B]) history.note(siteOf(night));
  expect([...history.redirects(siteOf([...A, ...by("b", [3])]))]).toEqual([]);
  // Neither page exists, and each was once the other's successor.
  history.note(siteOf(A));
  expect([...history.redirects(siteOf(BO))]).toEqual([]);
});

test("the same site noted twice changes nothing, and the largest weight comes first", () => {
  const stateDir = tempFolder("state");
  using history = new AddressHistory(stateDir);
  history.note(siteOf([...ADA, ...by("zed", [10, 11, 12, 13, 14, 15])]));
  const renamed = siteOf([...by("eve", [1, 2, 3]), ...by("yan", [10, 11, 12, 13, 14, 15])]);
  history.note(renamed);
  const [first, ...rest] = history.moves();
  history.note(renamed);
  expect(history.moves()).toEqual([first, ...rest]);
  expect(first).toMatchObject({ source: "/author/zed/", weight: 6 });
  expect(rest.map(({ weight }) => weight)).toEqual(
    rest.map(({ weight }) => weight).sort((a, b) => b - a),
  );
});
