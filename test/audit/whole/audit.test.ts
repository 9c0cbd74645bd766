/** One fault at a time, put into a site that is otherwise without any. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lineOf } from "../../../src/audit/finding.ts";
import { DiskError } from "../../../src/contract/errors.ts";
import { listSite } from "../../../src/files/walk.ts";
import { tempFolder } from "../../support/run/index.ts";
import { ATTRIBUTION, auditAgain, auditWith, FOOTER, page, quote, writeSite } from "../site.ts";

const both = quote(1) + quote(2);

test("auditSite() finds nothing wrong with a good site", async () => {
  const report = await auditWith();
  expect(report).toMatchObject({ pages: 5, total: 0, counts: {}, findings: [] });
  expect(report.bytes).toBeGreaterThan(1_000);
});

const AUTHOR = "/author/т/";
const GONE = "https://q.example/author/%D1%82/";
const on404 = (body: string) => ({ "404.html": page(body) });
const inListing = (quotes: string) => ({
  "tag/love/index.html": page(`${quotes}<a href="/tag/love/2/">Next</a>`),
});

/** What Astro makes of its option `redirects`. */
const REDIRECT =
  '<!doctype html><title>Redirecting to: /</title><meta http-equiv="refresh" content="0;url=/">' +
  '<meta name="robots" content="noindex"><body><a href="/">/</a></body>';

// Besides the lines: how many findings there are, where it is another number.
test.each<[string[], Record<string, string | null>, number?]>([
  [
    [
      "broken link: /: /author/%D1%82/ leads to no file",
      `page missing: ${AUTHOR}`,
      `sitemap: sitemap-1.xml: ${GONE} leads to no file`,
      `sitemap: ${AUTHOR}: it is not listed`,
    ],
    { "author/т/index.html": null },
  ],
  [["page not planned: /old/"], { "old/index.html": page("") }],
  [[], { "moved/index.html": REDIRECT }],
  [["broken link: /404.html: /x/ leads to no file"], on404('<a href="/x/">x</a>')],
  // Hosts add the slash, and some do not.
  [["broken link: /404.html: /tag/love leads to no file"], on404('<a href="/tag/love">x</a>')],
  [
    ["broken link: /404.html: /a.avif leads to no file"],
    on404('<img alt="" srcset="/a.avif 1x, /a.css 2x">'),
  ],
  [["broken link: /404.html: #no has no target on the page"], on404('<a href="#no">x</a>')],
  [
    ["broken link: /404.html: /404.html#no has no target on the page"],
    on404('<a href="/404.html#no">x</a>'),
  ],
  [
    ["broken link: /404.html: tag/love/index.html has nothing at #q3"],
    on404('<a href="/tag/love/#q3">x</a>'),
  ],
  [[], on404('<a href="/tag/love/#top">x</a><a href="/tag/love/#:~:text=x">x</a>')],
  [["unsafe link: /404.html: JAVASCRIPT:alert(1)"], on404('<a href="JAVASCRIPT:alert(1)">x</a>')],
  [['id twice: /404.html: "main"'], on404('<p id="main"></p>')],
  // And the link of the home page to it.
  [["quote missing: /tag/love/: q2"], inListing(quote(1)), 2],
  [["quote not planned: /tag/love/: q3"], inListing(both + quote(3))],
  [['id twice: /tag/love/: "q2"', "quote twice: /tag/love/: q2"], inListing(both + quote(2))],
  [["quote out of order: /tag/love/: q2 is in the place of q1"], inListing(quote(2) + quote(1))],
  [
    ["quote markup: /tag/love/: q2 has another data-pk"],
    inListing(both.replace('data-pk="2"', 'data-pk="1"')),
  ],
  [
    ["quote markup: /tag/love/: q1 has no lang", "quote markup: /tag/love/: q1 has no dir"],
    inListing(both.replace('lang="en" dir="ltr"', "")),
  ],
])("auditSite() finds %j", async (lines, files, total = lines.length) => {
  const report = await auditWith(files);
  expect(report.findings.map(lineOf)).toEqual(expect.arrayContaining(lines));
  expect(report.total).toBe(total);
});

const NOT_IN_FOOTER = "it is not in the page's footer";
test.each([
  ["there are 0", "<footer></footer>"],
  ["there are 0", `<!--${FOOTER}-->`],
  ["there are 2", FOOTER + FOOTER],
  [NOT_IN_FOOTER, FOOTER.replaceAll("footer", "div")],
  [NOT_IN_FOOTER, `<section>${FOOTER}</section>`],
  ["it leads somewhere else", FOOTER.replace(ATTRIBUTION, "https://x.example/")],
  ["it leads somewhere else", FOOTER.replace(/href="[^"]*"/, "")],
  ["it is hidden", FOOTER.replace("<footer", "<footer hidden")],
  ["it is hidden", FOOTER.replace("<a ", '<a style="display: none" ')],
  ["it is hidden", FOOTER.replace("<a ", "<p hidden><i></i><br><a ").replace("</a>", "</a></p>")],
  ["it is hidden", `<div style="display:none">${FOOTER}</div>`],
  ["it is hidden", FOOTER.replace("<footer", "<footer inert")],
  ["it says nothing", FOOTER.replace("Quotes from a service", "<b> </b>")],
])("auditSite() finds of an attribution that %s: %s", async (detail, footer) => {
  const { findings, total } = await auditWith({ "404.html": page("", footer) });
  expect(findings).toEqual([{ kind: "attribution", page: "/404.html", detail }]);
  expect(total).toBe(1);
});

test("auditSite() accepts an attribution beside and behind hidden elements", async () => {
  const footer = `<p hidden>x</p><footer><i hidden>x</i><br>${FOOTER.slice("<footer>".length)}`;
  expect((await auditWith({ "404.html": page("", footer) })).total).toBe(0);
});

test("auditSite() asks for no attribution on the paid plan", async () => {
  expect((await auditWith({ "404.html": page("", "") }, { attribution: null })).total).toBe(0);
});

test("auditSite() counts every finding and keeps the first of each kind", async () => {
  const links = Array.from({ length: 50 }, (_, index) => `<a href="/x${index}/">x</a>`).join("");
  const report = await auditWith({ "404.html": page(`${links}<p id="main"></p>`) });
  expect(report.counts).toEqual({ "broken link": 50, "id twice": 1 });
  expect(report.findings).toHaveLength(11);
});

test("lineOf() gives a line that cannot steer a terminal", () => {
  const detail = `\u001B[2J\n\u202E${"x".repeat(500)}`;
  const line = lineOf({ kind: "unsafe link", page: "/", detail });
  expect(line).toMatch(/^unsafe link: \/: {2}\[2J {1,2}x+…$/);
  expect(line.length).toBeLessThan(200);
});

test("auditSite() refuses a folder that is not there", async () => {
  const site = { outDir: "/nonexistent", stateDir: tempFolder("audits") };
  await expect(auditAgain(site)).rejects.toThrow(DiskError);
});

test.each(["robots.txt", "a.css", "build.json"])(
  "auditSite() names %s, which another program removed meanwhile, and is no bug",
  async (file) => {
    const site = writeSite();
    const listed = listSite(site.outDir);
    rmSync(join(site.outDir, file));
    await expect(auditAgain(site, { listed })).rejects.toThrow(
      new DiskError(`Cannot read ${join(site.outDir, file)}: ENOENT`),
    );
  },
);
