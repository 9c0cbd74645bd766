/** The sitemap and `robots.txt`, one fault at a time. */
import { expect, test } from "vitest";
import { auditRobots } from "../../../src/audit/whole/robots.ts";
import { auditSitemaps } from "../../../src/audit/whole/sitemap.ts";
import { OTHER_FILES, ORIGIN, sitemapOf } from "../other-files.ts";

function faultsOfSitemap(files: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  const all: Readonly<Record<string, string>> = { ...OTHER_FILES, ...files };
  const read = (file: string) => (all[file] === undefined ? null : Buffer.from(all[file]));
  const hasFile = (file: string) =>
    file in all || /^(?:index|tag\/love\/(?:2\/)?index|author\/т\/index)\.html$/.test(file);
  auditSitemaps(
    { origin: ORIGIN, base: "/", hasFile, read },
    (file) => (_, detail) => faults.push(`${file}: ${detail}`),
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
    { "sitemap-index.xml": OTHER_FILES["sitemap-index.xml"]?.replace("-1", "-2") ?? "" },
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
  ["the good one", OTHER_FILES["robots.txt"] ?? "", undefined],
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
    "one that disallows every page",
    `User-agent: x\nUser-agent: *\nDisallow: /\nSitemap: ${ORIGIN}/s.xml`,
    "robots.txt disallows every page",
  ],
  ["one without the sitemap", "User-agent: *\nAllow: /", `it does not name ${ORIGIN}/s.xml`],
  ["a page of HTML", `<html>\nSitemap: ${ORIGIN}/s.xml`, '"<html>" is no rule'],
  ["none", null, "it is missing, so search engines do not find the sitemap"],
])("auditRobots() of %s", (_, content, fault) => {
  const faults: string[] = [];
  const good = content?.replace("sitemap-index", "s") ?? null;
  auditRobots(good, `${ORIGIN}/s.xml`, (__, detail) => faults.push(detail));
  expect(faults).toEqual(fault === undefined ? [] : [fault]);
});
