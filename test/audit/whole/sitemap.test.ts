/** The sitemap and `robots.txt`, one fault at a time. */
import { expect, test } from "vitest";
import { auditRobots } from "../../../src/audit/whole/robots.ts";
import { auditSitemaps } from "../../../src/audit/whole/sitemap.ts";
import { OTHER_FILES, ORIGIN, sitemapOf } from "../other-files.ts";

function faultsOfSitemap(files: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  const all: Readonly<Record<string, string>> = { ...OTHER_FILES, ...files };
  const read = (file: string) => all[file] ?? null;
  const hasFile = (file: string) =>
    file in all || /^(?:index|tag\/love\/(?:2\/)?index|author\/т\/index)\.html$/.test(file);
  auditSitemaps({ origin: ORIGIN, base: "/", hasFile, read }, (file, fault) =>
    faults.push(`${file}: ${fault}`),
  );
  return faults;
}

const NOT_ABSOLUTE = "is no absolute address of this site";
const good = sitemapOf("/");

test.each<[string, string]>([
  [`sitemap-1.xml: ${ORIGIN}/gone/ leads to no file`, sitemapOf("/gone/")],
  [NOT_ABSOLUTE, good.replace("q.ex", "x.ex")],
  [NOT_ABSOLUTE, good.replace(ORIGIN, "")],
  ["index.html is listed twice", sitemapOf("/", "/")],
  ["feed.xml is no page", sitemapOf("/feed.xml")],
  ['"yesterday" is no date of a sitemap', good.replace("2026-11-21", "yesterday")],
  ["an entry has no <loc>", good.replace(/<url>.*<\/url>/, "<url></url>")],
  ["its root is <feed>", good.replaceAll("urlset", "feed")],
  ["it is not in the namespace of sitemaps", good.replace(/ xmlns="[^"]*"/, "")],
  ["it is not well-formed", "<urlset><url></urlset>"],
  [
    "it lists 50001 addresses, and 50000 are allowed",
    sitemapOf(...Array.from({ length: 50_001 }, () => "/")),
  ],
])("auditSitemaps() says of a sitemap: %s", (fault, sitemap) => {
  expect(faultsOfSitemap({ "sitemap-1.xml": sitemap })[0]).toContain(fault);
});

test("auditSitemaps() finds nothing in a good one, and an index that names a file that is not there", () => {
  expect(faultsOfSitemap({})).toEqual([]);
  const index = OTHER_FILES["sitemap-index.xml"]?.replace("-1", "-2") ?? "";
  const [fault] = faultsOfSitemap({ "sitemap-index.xml": index });
  expect(fault).toContain("sitemap-2.xml leads to no file");
});

const NAMED = `Sitemap: ${ORIGIN}/s.xml`;
test.each<[string | null, string?]>([
  [`User-agent: *\nAllow: /\n\n${NAMED}\n`],
  [`User-agent: *\nDisallow: /random/\n${NAMED}`],
  [`User-agent: x\nDisallow: /\n${NAMED}`],
  [`User-agent: x\nUser-agent: *\nDisallow: /\n${NAMED}`, "robots.txt disallows every page"],
  ["User-agent: *\nAllow: /", `it does not name ${ORIGIN}/s.xml`],
  [`<html>\n${NAMED}`, '"<html>" is no rule'],
  [null, "it is missing, so search engines do not find the sitemap"],
])("auditRobots() of %j: %s", (content, fault) => {
  const faults: string[] = [];
  auditRobots(content, `${ORIGIN}/s.xml`, (_, detail) => faults.push(detail));
  expect(faults).toEqual(fault === undefined ? [] : [fault]);
});
