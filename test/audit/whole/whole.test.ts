/** What no page shows by itself: names and `build.json`; and that the audit asks all there is to ask. */
import { expect, test } from "vitest";
import { lineOf } from "../../../src/audit/finding.ts";
import { auditBuildFile } from "../../../src/audit/whole/build-file.ts";
import { auditNames } from "../../../src/audit/whole/names.ts";
import { LISTED, ORIGIN, rss, sitemapOf } from "../other-files.ts";
import { auditWith, FOOTER, goodSite, page, quote, reportOn } from "../site.ts";

function faultsOfNames(...files: string[]): string[] {
  const faults: string[] = [];
  auditNames(files, (_, fault) => faults.push(fault));
  return faults;
}

test("auditNames() accepts what slugs are made of", () => {
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
  [`${"т".repeat(128)}/x`, "is 256 bytes long"],
  ["a\uFFFD", "is not UTF-8"],
])("auditNames() refuses %j, which %s", (file, fault) => {
  expect(faultsOfNames(file)).toEqual([expect.stringContaining(fault)]);
});

test.each([[["a/x", "a/X"]], [["a/x", "A/y"]], [["b/\u00E9/x", "b/e\u0301/x"]]])(
  "auditNames() refuses %j: one of them would be lost on some systems",
  (files) => {
    expect(faultsOfNames(...files)).toEqual([expect.stringContaining("another case or form")]);
  },
);

test.each([".env", ".env.production", "static/.npmrc", "keys/id_ed25519"])(
  "a file that programs keep credentials in, %j, is no file of a site",
  async (file) => {
    const { findings } = await auditWith({ [file]: "TOKEN=1" });
    expect(findings.map(lineOf)).toEqual([
      `secret: ${file}: a file for credentials; remove it from site/public`,
    ]);
  },
);

test.each([".nojekyll", ".well-known/security.txt", "environment.html.txt", ".htaccess"])(
  "%j is a file of a site",
  async (file) => {
    expect((await auditWith({ [file]: "x" })).findings).toEqual([]);
  },
);

test.each<[object, string]>([
  [{ files: 9 }, "it says 9 files, and there are 5"],
  [{ bytes: 9 }, "it says 9 bytes, and there are 50"],
  [{ pages: { tag: 2, home: 1 } }, "it says 2 pages of the kind tag, and there are 3"],
  [{ pages: { tag: 3 } }, "it says 0 pages of the kind home, and there are 1"],
])("auditBuildFile() finds %j", (lie, fault) => {
  const truth = { files: 5, bytes: 50, pages: { tag: 3, home: 1 } };
  const faults: string[] = [];
  auditBuildFile(JSON.stringify({ ...truth, ...lie }), truth, (fault) => faults.push(fault));
  expect(faults).toEqual([fault]);
  auditBuildFile(JSON.stringify(truth), truth, () => expect.unreachable());
});

test("auditSite() applies every rule", async () => {
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
    "invalid HTML: /404.html: </main> comes before the end of <b>",
    "request elsewhere: /tag/love/2/: https://cdn.example/",
    'hidden from search: /tag/love/2/: its robots directive is "none"',
    "too heavy: /tag/love/2/: HTML without the quotes' words",
    "feed: feed.xml: item 1 has neither title nor description",
    "API file: api/v1/today.json: date:",
    `robots.txt: robots.txt: it does not name ${ORIGIN}/sitemap-index.xml`,
    "sitemap: /: it is not listed",
    "sitemap: /404.html: it is listed and hidden from search",
    'unsafe file name: con/x.css: "con" is reserved by Windows',
    "request elsewhere: con/x.css: https://cdn.example/b.png",
    "build report: build.json: it says 1 files, and there are 15",
  ]) {
    expect(
      lines.filter((found) => found.startsWith(line)),
      line,
    ).toHaveLength(1);
  }
});

test("auditSite() refuses a site whose last build did not end", async () => {
  const { findings } = await auditWith({ "build.json.before": "{}" });
  expect(findings.map(lineOf)).toContain("build report: /: a build of it did not end");
});

test("auditSite() warns of pages with one title or description, also where one of them passed before", async () => {
  const head = (text: string) => `<meta name="description" content="${text}">`;
  const site = {
    "tag/love/index.html": page(`${quote(1)}${quote(2)}`, FOOTER, head("Love")),
    "tag/love/2/index.html": page(quote(3), FOOTER, head("Love")),
    "author/т/index.html": page(`${quote(1)}${quote(2)}${quote(3)}`, FOOTER, head("T")),
    "404.html": page("", FOOTER, `<meta name="robots" content="noindex">${head("Love")}`),
  };
  for (let round = 0; round < 2; round++) {
    const { findings, total, counts } = await auditWith(site);
    expect(findings.filter(({ kind }) => kind === "double").map(lineOf)).toEqual([
      "double: /author/т/: 3 pages have its title",
      "double: /tag/love/2/: 2 pages have its description",
    ]);
    expect(total).toBe(0);
    expect(counts["double"]).toBe(2);
  }
});
