/** What moved from night to night, and where old addresses lead then. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AddressHistory, type HostedSite } from "../../src/hosts/addresses.ts";
import { tempFolder } from "../support/run/index.ts";
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
  const outDir = tempFolder("dist");
  for (const { path, number } of [...reader.pagesOf("author"), ...reader.pagesOf("tag")]) {
    if (number > 1) continue;
    mkdirSync(join(outDir, path), { recursive: true });
    writeFileSync(join(outDir, path, "feed.xml"), "");
  }
  return { reader, outDir };
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

test("a site that stays moves nothing, and neither does a new one", () => {
  expect(after(ADA)).toEqual({});
  expect(after(ADA, [...ADA, ...BO])).toEqual({});
});

test("a damaged history begins anew", () => {
  const stateDir = tempFolder("state");
  writeFileSync(
    join(stateDir, "addresses.sqlite"),
    "no database, and longer than its header".repeat(9),
  );
  const renamed = by("ada-lovelace", [1, 2, 3]);
  const nights = [
    [...ADA, ...BO],
    [...renamed, ...BO],
  ];
  expect(afterIn(stateDir, nights)).toHaveProperty(["/author/ada/"]);
});

test("an author under another name: every page and the feeds lead to the new one", () => {
  expect(after([...ADA, ...BO], [...by("ada-lovelace", [1, 2, 3]), ...BO])).toEqual({
    "/author/ada/": "/author/ada-lovelace/",
    "/author/ada/2/": "/author/ada-lovelace/",
    "/author/ada/feed.xml": "/author/ada-lovelace/feed.xml",
  });
});

test("an author whose quotes went to several others leads to none of them", () => {
  const scattered = [...by("cy", [1]), ...by("di", [2]), ...by("ed", [3])];
  // A listing is recognised by quotes of its first page.
  expect(afterIn(tempFolder("state"), [ADA, scattered], 3)).toEqual({});
});

test("a tag that was merged leads to the tag that its quotes gained", () => {
  const before = by("bo", [1, 2, 3], ["self-help", "wit"]);
  expect(after(before, by("bo", [1, 2, 3], ["growth", "wit"]))).toMatchObject({
    "/tag/self-help/": "/tag/growth/",
    "/tag/self-help/2/": "/tag/growth/",
  });
});

test("a tag that its quotes merely lost leads to all tags, not to one they had beside it", () => {
  const before = by("bo", [1, 2, 3], ["rare", "wit"]);
  expect(after(before, by("bo", [1, 2, 3], ["wit"]))).toEqual({
    "/tag/rare/": "/tags/",
    "/tag/rare/2/": "/tags/",
  });
});

test("a listing that shrank leads from its last pages to the one that is last now", () => {
  expect(after(by("bo", [1, 2, 3, 4, 5, 6, 7]), by("bo", [1, 2, 3]))).toEqual({
    "/author/bo/3/": "/author/bo/2/",
    "/author/bo/4/": "/author/bo/2/",
  });
});

test("a quote that lost its page leads to its place; one that left, or was reported, to nowhere", () => {
  const pages = BO.map((quote) => ({ ...quote, page: true }));
  expect(after(pages, BO)).toEqual({
    "/quote/7/": "/author/bo/#q7",
    "/quote/8/": "/author/bo/#q8",
  });
  expect(after(pages, BO, by("bo", [8]))).toEqual({ "/quote/8/": "/author/bo/#q8" });
  expect(after(pages, by("bo", [8]))).toEqual({ "/quote/8/": "/author/bo/#q8" });
});

test("of a quote that left, not even the state keeps that it was there", () => {
  const pages = BO.map((quote) => ({ ...quote, page: true }));
  for (const nights of [
    [pages, by("bo", [8])],
    [pages, BO, by("bo", [8])],
  ]) {
    const stateDir = tempFolder("state");
    afterIn(stateDir, nights);
    using history = new AddressHistory(stateDir);
    expect(history.moves().map(({ source }) => source)).toEqual(["/quote/8/"]);
  }
});

test("a page that was back and leaves for good does not fall back to where it once led", () => {
  const both = [...by("ada", [1]), ...by("eve", [2])];
  expect(after(by("ada", [1, 2]), by("eve", [1, 2]))).toHaveProperty(["/author/ada/"]);
  expect(after(by("ada", [1, 2]), by("eve", [1, 2]), both, by("eve", [2]))).toEqual({});
});

test("redirects() never lead away from a page that exists, nor in a circle", () => {
  using history = new AddressHistory(tempFolder("state"));
  const [a, b] = [by("a", [1, 2]), by("b", [1, 2])];
  for (const night of [a, b, a, b]) history.note(siteOf(night));
  expect([...history.redirects(siteOf([...a, ...by("b", [3])]))]).toEqual([]);
  // Neither page exists, and each was once the other's successor.
  history.note(siteOf(a));
  expect([...history.redirects(siteOf(BO))]).toEqual([]);
});

test("an author whose quotes were all taken away leaves no trace, also not of an earlier name", () => {
  expect(after([...ADA, ...BO], BO)).toEqual({});
  expect(after([...ADA, ...BO], [...by("ada-l", [1, 2, 3]), ...BO], BO)).toEqual({});
});

test("chains are cut short, loops are none, and a page that is back is no redirect", () => {
  const names = ["a", "b", "c", "a"].map((name) => by(name, [1, 2]));
  const [a = [], b = [], c = []] = names;
  expect(after(a, b, c)).toMatchObject({ "/author/a/": "/author/c/", "/author/b/": "/author/c/" });
  const back = after(...names);
  expect(back).not.toHaveProperty(["/author/a/"]);
  expect(back).toMatchObject({ "/author/b/": "/author/a/", "/author/c/": "/author/a/" });
  expect(after(a, b, a, b)).toMatchObject({ "/author/a/": "/author/b/" });
});

test("a redirect follows its target, also when that only shrinks", () => {
  const long = by("bo", [1, 2, 3, 4, 5]);
  expect(after(long, by("bo", [1, 2, 3]), by("bo", [1]))).toEqual({
    "/author/bo/2/": "/author/bo/",
    "/author/bo/3/": "/author/bo/",
  });
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
