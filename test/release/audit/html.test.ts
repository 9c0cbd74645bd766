/** What a page may have wrong in itself, one fault at a time. */
import { expect, test } from "vitest";
import { lineOf } from "../../../src/release/audit/finding.ts";
import { auditPage } from "../../../src/release/audit/page/audit-page.ts";
import type { PageRules, PageToAudit } from "../../../src/release/audit/page/rules.ts";
import { ATTRIBUTION, FOOTER, page, quote } from "./site.ts";

const RULES: PageRules = {
  origin: "https://q.example",
  base: "/",
  attribution: ATTRIBUTION,
  mayAsk: ["https://votes.example"],
  hasFile: (file) => !file.includes("missing"),
  weights: { sheet: (file) => (file === "a.css" ? 100 : 30), script: () => 50 },
};
const PAGE: PageToAudit = {
  path: "/x/",
  file: "x/index.html",
  quotes: null,
  budget: { html: 1_000, css: 100, js: 100 },
  unlisted: false,
  kind: "page",
};

function audit(html: string | Buffer, more: Partial<PageToAudit> = {}): string[] {
  const { findings } = auditPage(Buffer.from(html), { ...PAGE, ...more }, RULES);
  return findings.map((finding) => lineOf(finding).replace(": /x/", ""));
}
const invalid = (fault: string): string[] => [`invalid HTML: ${fault}`];

test.each<[string, string]>([
  ["end tags that may be left out", "<ul><li>a<li>b</ul><p>a<p>b<table><tr><td>a<td>b</table>"],
  ["a paragraph that a block ends", "<p>a<div>b</div>"],
  ["empty elements", "<br><hr/><img src=/a.png alt>"],
  ["closed elements of SVG", "<svg><path d=''/><g><use href='#main'/></g></svg>"],
  ["references to ids", '<label for="i">a</label><input id="i" aria-describedby="i main">'],
  ["markup in text", "<script>if (a<b) '</div>'</script><textarea><b></textarea>"],
])("a page with %s is valid", (_, body) => {
  expect(audit(page(body))).toEqual([]);
});

test.each<[string, string, string]>([
  ["an element that is never closed", "<div><b>a</div>", "</div> stands before the end of <b>"],
  ["an end without a beginning", "a</span>", "</span> closes nothing"],
  ["tags in the wrong order", "<b><i>a</b></i>", "</b> stands before the end of <i>"],
  ["a block in a paragraph", "<p><ul></ul></p>", "</p> closes nothing"],
  ["an element that does not close itself", "<div/>", "<div/> does not close itself"],
  ["an attribute twice", "<i class=a class=b></i>", "<i> has class twice"],
  [
    "a value that is not closed",
    '<i title="a>b</i><i title="c"></i>',
    "an attribute of <i> is not closed",
  ],
  [
    "a link in a link",
    '<a href="#main"><b><a href="#main"></a></b></a>',
    "<a> stands in another <a>",
  ],
  ["a form in a form", "<form><div><form></form></div></form>", "<form> stands in another <form>"],
  ["a picture without words", "<img src=/a.png>", "an <img> has no alt"],
  ["two headings of the page", "<h1>b</h1>", "it has 2 <h1>"],
  ["two main parts", "<main></main>", "it has 2 <main>"],
  [
    "a label for nothing",
    '<label for="i">a</label>',
    'an attribute names "i", and nothing has that id',
  ],
  ["a NUL", "a\0b", "it holds a NUL"],
])("auditPage() finds %s", (_, body, fault) => {
  expect(audit(page(body))).toEqual(invalid(fault));
});

const good = page("");
test.each<[string, string | Buffer, string]>([
  ["no doctype", good.replace(/<!DOCTYPE html>/, ""), "it does not begin with <!DOCTYPE html>"],
  ["no language", good.replace(' lang="en"', ""), "<html> has no lang"],
  [
    "no encoding",
    good.replace('<meta charset="utf-8">', ""),
    'no <meta charset="utf-8"> within the first 1024 bytes',
  ],
  [
    "its encoding too late",
    good.replace("<meta charset", `<!--${" ".repeat(999)}--><meta charset`),
    'no <meta charset="utf-8"> within the first 1024 bytes',
  ],
  ["no title", good.replace("<title><a></title>", ""), "it has no title"],
  ["an empty title", good.replace("<title><a></title>", "<title> </title>"), "it has no title"],
  [
    "an end that is missing",
    good.replace("</main>", ""),
    "</body> stands before the end of <main>",
  ],
  ["a script without end", good.replace("</body>", "<script>x</body>"), "<script> is never closed"],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from(good), Buffer.from([0xff])]),
    "it is not UTF-8",
  ],
])("auditPage() finds a document with %s", (_, html, fault) => {
  expect(audit(html)).toContain(`invalid HTML: ${fault}`);
});

test.each<[string, string, string]>([
  ["a script", '<script src="//cdn.example/a.js"></script>', "//cdn.example/a.js"],
  [
    "a sheet",
    '<link rel="stylesheet" href="https://cdn.example/a.css">',
    "https://cdn.example/a.css",
  ],
  ["a hint", '<link rel="preconnect" href="https://cdn.example">', "https://cdn.example"],
  [
    "a picture",
    '<img alt="" srcset="/a.png 1x, https://cdn.example/b.png 2x">',
    "https://cdn.example/b.png",
  ],
  ["a frame", '<iframe src="https://cdn.example/"></iframe>', "https://cdn.example/"],
  [
    "a font",
    '<style>@font-face{src:url("https://cdn.example/a.woff2")}</style>',
    "https://cdn.example/a.woff2",
  ],
  ["an import of a sheet", "<style>@import '//cdn.example/a.css';</style>", "//cdn.example/a.css"],
  [
    "a background",
    '<p style="background:url(http://cdn.example/a.png)"></p>',
    "http://cdn.example/a.png",
  ],
  [
    "a call of a script",
    '<script>fetch("https://cdn.example/a")</script>',
    "https://cdn.example/a",
  ],
  [
    "an import of a script",
    '<script type="module">import a from "https://cdn.example/a.js"</script>',
    "https://cdn.example/a.js",
  ],
  [
    "a place to ask in data",
    '<script type="application/json">{"at":"https://cdn.example/a"}</script>',
    "https://cdn.example/a",
  ],
  [
    "another page at once",
    '<meta http-equiv="refresh" content="0; url=https://cdn.example/">',
    "https://cdn.example/",
  ],
  ["a counter of clicks", '<a href="/a" ping="https://cdn.example/">a</a>', "https://cdn.example/"],
])("auditPage() finds %s from elsewhere", (_, body, address) => {
  expect(audit(page(body))).toEqual([`request elsewhere: ${address}`]);
});

test("what a person follows, where votes go, and what only has a name are no requests", () => {
  const body = [
    '<a href="https://elsewhere.example/">a</a>',
    '<form action="https://votes.example/v"></form>',
    '<script type="application/json">{"at":"https://votes.example/v"}</script>',
    '<script type="application/ld+json">{"@context":"https://schema.org"}</script>',
    '<img alt="" src="data:image/png;base64,AA=="><svg><use href="#main"/></svg>',
  ].join("");
  expect(audit(page(body, FOOTER, '<link rel="canonical" href="https://q.example/x/">'))).toEqual(
    [],
  );
});

test("auditPage() finds a noindex, unless the page is meant to have one", () => {
  const hidden = page("", FOOTER, '<meta name="ROBOTS" content="nofollow, noindex">');
  expect(audit(hidden)).toEqual(['hidden from search: robots is told "nofollow, noindex"']);
  expect(audit(hidden, { unlisted: true })).toEqual([]);
  expect(audit(page("", FOOTER, '<meta name="robots" content="index, max-snippet:-1">'))).toEqual(
    [],
  );
  const elsewhere = page("", FOOTER, '<link rel="canonical" href="https://other.example/x/">');
  expect(audit(elsewhere)).toEqual([
    "hidden from search: its canonical address is elsewhere: https://other.example/x/",
  ]);
});

test("auditPage() weighs markup, sheets and scripts, but not the words of quotes", () => {
  const heavy = [/^too heavy: HTML without the quotes' words: \d{4} bytes, and 1000 are allowed$/];
  expect(audit(page(" ".repeat(900)))).toEqual(
    heavy.map((line) => expect.stringMatching(line) as string),
  );
  const long = quote(1).replace("x", "ы".repeat(5_000));
  expect(audit(page(long))).toEqual([]);
  const sheets = page("", FOOTER, '<link rel="stylesheet" href="/b.css">');
  expect(audit(sheets)).toEqual(["too heavy: CSS, compressed: 130 bytes, and 100 are allowed"]);
  const scripts = [1, 2, 3].map((n) => `<script src="/${n}.js"></script>`).join("");
  expect(audit(page(scripts))).toEqual([
    "too heavy: JavaScript, compressed: 150 bytes, and 100 are allowed",
  ]);
});

test("auditPage() follows the address of a card for those who share the page", () => {
  const card = (name: string) =>
    page("", FOOTER, `<meta property="og:image" content="https://q.example/${name}.png">`);
  expect(audit(card("a"))).toEqual([]);
  expect(audit(card("missing"))).toEqual([
    "broken link: https://q.example/missing.png leads to no file",
  ]);
});
