/** One fault at a time, put into a site that is otherwise without any. */
import { expect, test } from "vitest";
import { auditSite } from "../../../src/audit/audit.ts";
import { lineOf } from "../../../src/audit/finding.ts";
import { DiskError } from "../../../src/contract/errors.ts";
import { ATTRIBUTION, auditWith, FOOTER, page, quote } from "../site.ts";

const LISTING = "tag/love/index.html";
const listing = (body: string): string => page(`${body}<a href="/tag/love/2/">Next</a>`);
const both = quote(1) + quote(2);

test("auditSite() finds nothing wrong with a good site", async () => {
  const report = await auditWith();
  expect(report).toMatchObject({ pages: 5, total: 0, counts: {}, findings: [] });
  expect(report.bytes).toBeGreaterThan(1_000);
});

test.each<[string, Record<string, string | null>, string[]]>([
  [
    "a page that is missing, and the links to it",
    { "author/т/index.html": null },
    [
      "broken link: /: /author/%D1%82/ leads to no file",
      "page missing: /author/т/",
      "sitemap: sitemap-1.xml: https://q.example/author/%D1%82/ leads to no file",
      "sitemap: /author/т/: it is not listed",
    ],
  ],
  ["a page that is not planned", { "old/index.html": page("") }, ["page not planned: /old/"]],
  [
    "no fault in a page that Astro makes of `redirects`",
    {
      "moved/index.html":
        '<!doctype html><title>Redirecting to: /</title><meta http-equiv="refresh" content="0;url=/"><meta name="robots" content="noindex"><body><a href="/">/</a></body>',
    },
    [],
  ],
  [
    "a link to nowhere",
    { "404.html": page('<a href="/x/">x</a>') },
    ["broken link: /404.html: /x/ leads to no file"],
  ],
  [
    "a link without the slash that hosts add",
    { "404.html": page('<a href="/tag/love">x</a>') },
    ["broken link: /404.html: /tag/love leads to no file"],
  ],
  [
    "a picture that is not there",
    { "404.html": page('<img alt="" srcset="/a.avif 1x, /a.css 2x">') },
    ["broken link: /404.html: /a.avif leads to no file"],
  ],
  [
    "a fragment that its page lacks",
    { "404.html": page('<a href="#no">x</a>') },
    ["broken link: /404.html: #no has no target on the page"],
  ],
  [
    "a fragment that the page lacks, by its own address",
    { "404.html": page('<a href="/404.html#no">x</a>') },
    ["broken link: /404.html: /404.html#no has no target on the page"],
  ],
  [
    "a fragment that another page lacks",
    { "404.html": page('<a href="/tag/love/#q3">x</a>') },
    ["broken link: /404.html: tag/love/index.html has nothing at #q3"],
  ],
  [
    "a link that runs code",
    { "404.html": page('<a href="JAVASCRIPT:alert(1)">x</a>') },
    ["unsafe link: /404.html: JAVASCRIPT:alert(1)"],
  ],
  ["an id used twice", { "404.html": page('<p id="main"></p>') }, ['id twice: /404.html: "main"']],
  [
    "a quote that is missing",
    { [LISTING]: listing(quote(1)) },
    ["quote missing: /tag/love/: q2", "broken"],
  ],
  [
    "a quote of another listing",
    { [LISTING]: listing(both + quote(3)) },
    ["quote not planned: /tag/love/: q3"],
  ],
  [
    "a quote that occurs twice",
    { [LISTING]: listing(both + quote(2)) },
    ['id twice: /tag/love/: "q2"', "quote twice: /tag/love/: q2"],
  ],
  [
    "quotes in another order",
    { [LISTING]: listing(quote(2) + quote(1)) },
    ["quote out of order: /tag/love/: q2 is in the place of q1"],
  ],
  [
    "a quote whose markup votes for another",
    { [LISTING]: listing(both.replace('data-pk="2"', 'data-pk="1"')) },
    ["quote markup: /tag/love/: q2 has another data-pk"],
  ],
  [
    "a quote that does not say its language",
    { [LISTING]: listing(both.replace('lang="en" dir="ltr"', "")) },
    ["quote markup: /tag/love/: q1 has no lang", "quote markup: /tag/love/: q1 has no dir"],
  ],
])("auditSite() finds %s", async (_, files, lines) => {
  const report = await auditWith(files);
  const found = report.findings.map(lineOf).sort();
  const expected = lines.filter((line) => line !== "broken").sort();
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(report.total).toBe(lines.length);
});

test.each([
  ["is missing", "<footer></footer>", "there are 0"],
  ["occurs twice", FOOTER + FOOTER, "there are 2"],
  [
    "is outside of the footer",
    FOOTER.replaceAll("footer", "div"),
    "it is not in the page's footer",
  ],
  [
    "is in the footer of a section",
    `<section>${FOOTER}</section>`,
    "it is not in the page's footer",
  ],
  ["leads elsewhere", FOOTER.replace(ATTRIBUTION, "https://x.example/"), "it leads somewhere else"],
  ["leads nowhere", FOOTER.replace(/href="[^"]*"/, ""), "it leads somewhere else"],
  ["is hidden", FOOTER.replace("<footer", "<footer hidden"), "it is hidden"],
  ["is hidden by style", FOOTER.replace("<a ", '<a style="display: none" '), "it is hidden"],
  ["says nothing", FOOTER.replace("Quotes from a service", "<b> </b>"), "it says nothing"],
  ["is in a comment", `<!--${FOOTER}-->`, "there are 0"],
])("auditSite() finds an attribution that %s", async (_, footer, detail) => {
  const { findings, total } = await auditWith({ "404.html": page("", footer) });
  expect(findings).toEqual([{ kind: "attribution", page: "/404.html", detail }]);
  expect(total).toBe(1);
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
  const line = lineOf({
    kind: "unsafe link",
    page: "/",
    detail: `\u001B[2J\n\u202E${"x".repeat(500)}`,
  });
  expect(line).toMatch(/^unsafe link: \/: {2}\[2J {1,2}x+…$/);
  expect(line.length).toBeLessThan(200);
});

test("auditSite() refuses a folder that is not there", async () => {
  const options = { outDir: "/nonexistent", origin: "", base: "/", attribution: null, pages: [] };
  await expect(auditSite(options)).rejects.toThrow(DiskError);
});
