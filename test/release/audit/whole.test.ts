/** What no page can tell by itself: names, the sitemap, `robots.txt`, `build.json`; and that the audit asks it all. */
import { expect, test } from "vitest";
import { lineOf } from "../../../src/release/audit/finding.ts";
import { auditBuildFile } from "../../../src/release/audit/whole/build-file.ts";
import { Names } from "../../../src/release/audit/whole/names.ts";
import { auditRobots } from "../../../src/release/audit/whole/robots.ts";
import { auditSitemaps } from "../../../src/release/audit/whole/sitemap.ts";
import { BESIDE, LISTED, ORIGIN, rss, sitemapOf } from "./beside.ts";
import { auditWith, FOOTER, goodSite, page, reportOn } from "./site.ts";

function faultsOfNames(...files: string[]): string[] {
  const faults: string[] = [];
  const names = new Names();
  for (const file of files) names.take(file, (_, detail) => faults.push(detail));
  return faults;
}

test("Names accepts what slugs are made of", () => {
  expect(
    faultsOfNames("author/т/index.html", "author/т/2/index.html", "console/a.b-c_d~e", "tag/т/x"),
  ).toEqual([]);
});

test.each([
  ["a\nb/c", "holds a control character"],
  ["a\u202Eb", "holds a control character"],
  ["a/b?.html", "holds a sign that Windows does not allow"],
  ["a/b\\c", "holds a sign that Windows does not allow"],
  ["con/index.html", "is reserved by Windows"],
  ["a/LPT1.txt", "is reserved by Windows"],
  ["a./b", "ends in a dot or a blank"],
  ["a /b", "ends in a dot or a blank"],
  ["a/../b", "is no name"],
  [`${"т".repeat(128)}/x`, "is 256 bytes long"],
  ["a\uFFFD", "is not UTF-8"],
])("Names refuses %j, which %s", (file, fault) => {
  expect(faultsOfNames(file)).toEqual([expect.stringContaining(fault)]);
});

test.each([[["a/x", "a/X"]], [["a/x", "A/y"]], [["b/\u00E9/x", "b/e\u0301/x"]]])(
  "Names refuses %j: one of them would be lost on some systems",
  (files) => {
    expect(faultsOfNames(...files)).toEqual([expect.stringContaining("another case or form")]);
  },
);

function faultsOfSitemap(files: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  const all: Readonly<Record<string, string>> = { ...BESIDE, ...files };
  const read = (file: string) => (all[file] === undefined ? null : Buffer.from(all[file]));
  const hasFile = (file: string) =>
    file in all || /^(?:index|tag\/love\/(?:2\/)?index|author\/т\/index)\.html$/.test(file);
  const listed = new Set<string>();
  auditSitemaps(
    { origin: ORIGIN, base: "/", hasFile, read },
    (file) => (_, detail) => faults.push(`${file}: ${detail}`),
    (file) => listed.size < listed.add(file).size,
  );
  return faults;
}

const many = sitemapOf(...Array.from({ length: 50_001 }, () => "/"));
test.each<[string, Record<string, string>, string]>([
  ["nothing wrong with a good one", {}, ""],
  [
    "an address that is no page",
    { "sitemap-1.xml": sitemapOf("/gone/") },
    `sitemap-1.xml: ${ORIGIN}/gone/ leads to no file`,
  ],
  [
    "an address of another site",
    { "sitemap-1.xml": sitemapOf("/").replace("q.ex", "x.ex") },
    "is no absolute address of this site",
  ],
  [
    "an address that is not absolute",
    { "sitemap-1.xml": sitemapOf("/").replace(ORIGIN, "") },
    "is no absolute address of this site",
  ],
  ["an address twice", { "sitemap-1.xml": sitemapOf("/", "/") }, "index.html is listed twice"],
  ["a file that is no page", { "sitemap-1.xml": sitemapOf("/feed.xml") }, "feed.xml is no page"],
  [
    "a date that is none",
    { "sitemap-1.xml": sitemapOf("/").replace("2026-11-21", "yesterday") },
    '"yesterday" is no date of a sitemap',
  ],
  [
    "an entry without address",
    { "sitemap-1.xml": "<urlset><url></url></urlset>" },
    "an entry has no <loc>",
  ],
  [
    "markup that is not closed",
    { "sitemap-1.xml": "<urlset><url></urlset>" },
    "it is not well-formed",
  ],
  [
    "a file that is not there",
    { "sitemap-index.xml": BESIDE["sitemap-index.xml"]?.replace("-1", "-2") ?? "" },
    "sitemap-2.xml leads to no file",
  ],
  [
    "too many addresses",
    { "sitemap-1.xml": many },
    "it lists 50001 addresses, and 50000 are allowed",
  ],
])("auditSitemaps() finds %s", (_, files, fault) => {
  const faults = faultsOfSitemap(files);
  if (fault === "") expect(faults).toEqual([]);
  else expect(faults[0]).toContain(fault);
});

test.each<[string, string | null, string | undefined]>([
  ["the good one", BESIDE["robots.txt"] ?? "", undefined],
  [
    "one that keeps some away",
    `User-agent: *\nDisallow: /random/\nSitemap: ${ORIGIN}/s.xml`,
    undefined,
  ],
  [
    "one that keeps one robot away",
    `User-agent: x\nDisallow: /\nSitemap: ${ORIGIN}/s.xml`,
    undefined,
  ],
  [
    "one that keeps everybody away",
    `User-agent: x\nUser-agent: *\nDisallow: /\nSitemap: ${ORIGIN}/s.xml`,
    "robots.txt keeps everybody away",
  ],
  ["one without the sitemap", "User-agent: *\nAllow: /", `it does not name ${ORIGIN}/s.xml`],
  ["a page of HTML", `<html>\nSitemap: ${ORIGIN}/s.xml`, '"<html>" is no rule'],
  ["none", null, "it is missing, and nobody hears of the sitemap"],
])("auditRobots() of %s", (_, content, fault) => {
  const faults: string[] = [];
  const good = content?.replace("sitemap-index", "s") ?? null;
  auditRobots(good, `${ORIGIN}/s.xml`, (__, detail) => faults.push(detail));
  expect(faults).toEqual(fault === undefined ? [] : [fault]);
});

test.each<[object, string]>([
  [{ files: 9 }, "it says 9 files, and there are 5"],
  [{ bytes: 9 }, "it says 9 bytes, and there are 50"],
  [{ pages: { tag: 2, home: 1 } }, "it says 2 pages of the kind tag, and there are 3"],
  [{ pages: { tag: 3 } }, "it says 0 pages of the kind home, and there are 1"],
])("auditBuildFile() finds %j", (lie, fault) => {
  const truth = { files: 5, bytes: 50, pages: { tag: 3, home: 1 } };
  const faults: string[] = [];
  auditBuildFile(JSON.stringify({ ...truth, ...lie }), truth, (_, detail) => faults.push(detail));
  expect(faults).toEqual([fault]);
  auditBuildFile(JSON.stringify(truth), truth, () => expect.unreachable());
});

test("auditSite() asks all of this", async () => {
  const { findings } = await auditWith({
    "404.html": page("<b>"),
    "tag/love/2/index.html": page(
      `${" ".repeat(2_000)}<img alt src="https://cdn.example/">`,
      FOOTER,
      '<meta name="robots" content="none">',
    ),
    "feed.xml": rss("<item></item>"),
    "api/v1/today.json": "{}",
    "robots.txt": "Sitemap: /x.xml",
    "sitemap-1.xml": sitemapOf(...LISTED.slice(1), "/404.html"),
    "con/x.css": "a{background:url(https://cdn.example/b.png)}",
    "build.json": reportOn(goodSite(), { files: 1 }),
  });
  const lines = findings.map(lineOf);
  for (const line of [
    "invalid HTML: /404.html: </main> stands before the end of <b>",
    "request elsewhere: /tag/love/2/: https://cdn.example/",
    'hidden from search: /tag/love/2/: robots is told "none"',
    "too heavy: /tag/love/2/: HTML without the quotes' words",
    "feed: feed.xml: item 1 has neither title nor description",
    "API file: api/v1/today.json: date:",
    `robots.txt: robots.txt: it does not name ${ORIGIN}/sitemap-index.xml`,
    "sitemap: /: it is not listed",
    "sitemap: /404.html: it is listed and hidden from search",
    'unsafe file name: con/x.css: "con" is reserved by Windows',
    "request elsewhere: con/x.css: https://cdn.example/b.png",
    "build report: build.json: it says 1 files, and there are 14",
  ]) {
    expect(
      lines.filter((found) => found.startsWith(line)),
      line,
    ).toHaveLength(1);
  }
});
