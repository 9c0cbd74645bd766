/** What a page asks for, hides and weighs. */
import { weighFiles } from "../../../src/audit/files/weights.ts";
import { expect, test } from "vitest";
import { auditHtml } from "./one-page.ts";
import { OWN_KIND } from "../../../src/audit/page/rules.ts";
import { FOOTER, page, POLICY, quote } from "../site.ts";

const CDN = "https://cdn.example/";
test.each<[string, string?]>([
  ['<script src="//cdn.example/"></script>', "//cdn.example/"],
  [`<link rel="stylesheet" href="${CDN}">`],
  [`<link rel="preconnect" href="${CDN}">`],
  [`<img alt="" srcset="/a.png 1x, ${CDN} 2x">`],
  [`<iframe src="${CDN}"></iframe>`],
  [`<style>@font-face{src:url("${CDN}")}</style>`],
  ["<style>@import '//cdn.example/';</style>", "//cdn.example/"],
  [`<p style="background:url(${CDN})"></p>`],
  [`<script>fetch("${CDN}")</script>`],
  [`<script type="module">import a from "${CDN}"</script>`],
  [`<script type="application/json">{"at":"${CDN}"}</script>`],
  [`<meta http-equiv="refresh" content="0; url=${CDN}">`],
  [`<meta http-equiv="refresh" content="0;${CDN}">`],
  [`<img alt="" srcset="data:image/png;base64,AA== 1x, ${CDN} 2x">`],
  [`<a href="/a" ping="${CDN}">a</a>`],
  [`<map name="m"><area href="/a" alt="" ping="${CDN}"></map>`],
  [`<base href="${CDN}">`],
  [`<link rel="preload" as="image" imagesrcset="/a.png 1x, ${CDN} 2x">`],
  [`<svg><script href="${CDN}"></script><feImage xlink:href="/a.png"/></svg>`],
  [`<svg><filter><feImage href="${CDN}"/></filter></svg>`],
  [`<p style="background:image-set('/a.png' 1x, '${CDN}' 2x)"></p>`],
])("auditPage() finds the request of %s", (body, address = CDN) => {
  expect(auditHtml(page(body))).toEqual([`request elsewhere: ${address}`]);
});

test("what a person follows, where votes go, and what only has a name are no requests", () => {
  const body = [
    '<a href="https://elsewhere.example/">a</a>',
    '<form action="https://votes.example/v"></form>',
    '<script type="application/json">{"at":"https://votes.example/v"}</script>',
    '<script type="application/ld+json">{"@context":"https://schema.org"}</script>',
    '<img alt="" src="data:image/png;base64,AA=="><svg><use href="#main"/></svg>',
  ].join("");
  const html = page(body, FOOTER, '<link rel="canonical" href="https://q.example/x/">');
  const votes = "form-action 'self' https://votes.example";
  expect(auditHtml(html.replace(/form-action '\w+'/, votes))).toEqual([]);
});

test("auditPage() finds a noindex, unless the page is meant to have one", () => {
  const hidden = page("", FOOTER, '<meta name="ROBOTS" content="nofollow, noindex">');
  const fault = 'hidden from search: its robots directive is "nofollow, noindex"';
  expect(auditHtml(hidden)).toEqual([fault]);
  expect(auditHtml(hidden, { unlisted: true })).toEqual([]);
  const shown = page("", FOOTER, '<meta name="robots" content="index, max-snippet:-1">');
  expect(auditHtml(shown)).toEqual([]);
  const elsewhere = page("", FOOTER, '<link rel="canonical" href="https://other.example/x/">');
  const canonical = "hidden from search: its canonical address is another: https://";
  expect(auditHtml(elsewhere)).toEqual([`${canonical}other.example/x/`]);
  expect(auditHtml(elsewhere, { kind: OWN_KIND })).toEqual([`${canonical}other.example/x/`]);
  const onSite = page("", FOOTER, '<link rel="canonical" href="https://q.example/y/">');
  expect(auditHtml(onSite)).toEqual([`${canonical}q.example/y/`]);
  expect(auditHtml(onSite, { kind: OWN_KIND })).toEqual([]);
  expect(auditHtml(onSite, { unlisted: true })).toEqual([]);
  expect(auditHtml(page(""), { budget: null }, { base: "/x/" }).join()).not.toContain("hidden");
});

test.each(["", POLICY.replace(/content=".*"/, 'content=""')])(
  "auditPage() finds a page without a policy, as %j",
  (policy) => {
    const html = page("").replace(POLICY, policy);
    expect(auditHtml(html)).toEqual(["policy: it has none"]);
    expect(auditHtml(html, { kind: OWN_KIND })).toEqual([]);
  },
);

test("auditPage() weighs markup, sheets and scripts, but not the words of quotes", () => {
  const heavy = /^too heavy: HTML without the quotes' words: \d{4} bytes, and 1000 are allowed$/;
  expect(auditHtml(page(" ".repeat(900)))).toEqual([expect.stringMatching(heavy)]);
  const long = quote(1).replace("x", "ы".repeat(5_000));
  expect(auditHtml(page(long))).toEqual([]);
  const sheets = page("", FOOTER, '<link rel="stylesheet" href="/b.css">');
  expect(auditHtml(sheets)).toEqual(["too heavy: CSS, compressed: 130 bytes, and 100 are allowed"]);
  const scripts = [1, 2, 3].map((n) => `<script src="/${n}.js"></script>`).join("");
  expect(auditHtml(page(scripts))).toEqual([
    "too heavy: JavaScript, compressed: 150 bytes, and 100 are allowed",
  ]);
});

test("auditPage() weighs the typefaces that a page preloads and those that its sheets declare", () => {
  const preload = (n: number) => `<link rel="preload" as="font" href="/${n}.woff2" crossorigin>`;
  expect(auditHtml(page("", FOOTER, preload(1)))).toEqual([]);
  const heavy = "too heavy: typefaces: 120 bytes, and 100 are allowed";
  expect(auditHtml(page("", FOOTER, preload(1) + preload(2)))).toEqual([heavy]);
  const declared = `${preload(1)}<link rel="stylesheet" href="/b.css">`;
  expect(auditHtml(page("", FOOTER, declared))).toContain(
    "too heavy: typefaces: 110 bytes, and 100 are allowed",
  );
});

const link = (n: number): string => `<a href="/tag/tag-${n}/" dir="auto">a name of tag ${n}</a>`;
const many = (write: (n: number) => string): string =>
  Array.from({ length: 300 }, (_, n) => write(n)).join("");

test.each([
  ["tags of a quote", `<ul class="notes">${many((n) => `<li>${link(n)}</li>`)}</ul>`],
  ["tags that have no listing", `<ul>${many((n) => `<li dir="auto">tag ${n}</li>`)}</ul>`],
  ["an index", `<ul>${many((n) => `<li>${link(n)} <span>12</span></li>`)}</ul>`],
  ["authors", many((n) => `<a href="/base/author/a-${n}/">Author ${n}</a>`)],
  ["data", `<script type="application/ld+json">{"text":"${"x".repeat(9_000)}"}</script>`],
])("auditPage() warns of a page that is heavy by %s alone", (_, body) => {
  expect(auditHtml(page(body))).toEqual([
    expect.stringMatching(/^heavy with names: HTML without the quotes' words: \d+ bytes/),
  ]);
});

test("auditPage() does not weigh the words in an address that shares a quote", () => {
  const share = (words: string) => page(`<a href="mailto:?body=${words}">Mail</a>`);
  expect(auditHtml(share(encodeURIComponent("উদ্ধৃতি ".repeat(300))))).toEqual([]);
  expect(auditHtml(share("x".repeat(9_000))).join()).toMatch(/too heavy: HTML/);
});

test.each([
  ["links elsewhere", `<ul>${many((n) => `<li><a href="/x/#q${n}">x</a></li>`)}</ul>`],
  ["items with markup", `<ul>${many((n) => `<li>${link(n)}<b class="a"></b></li>`)}</ul>`],
  ["attributes", `<p title="${"x".repeat(2_000)}"></p>${many(link)}`],
])("auditPage() finds a page too heavy by %s", (_, body) => {
  expect(auditHtml(page(body)).join()).toMatch(/too heavy: HTML/);
});

test("auditPage() checks that og:image leads to a file", () => {
  const card = (name: string) =>
    page("", FOOTER, `<meta property="og:image" content="https://q.example/${name}.png">`);
  expect(auditHtml(card("a"))).toEqual([]);
  expect(auditHtml(card("missing"))).toEqual([
    "broken link: https://q.example/missing.png leads to no file",
  ]);
});

test.each([
  ['<header class="masthead"></header><ol class="wide months"></ol>', null],
  ['<header class="masthead"></header><p class="prose">', "prose"],
  ['<nav class="pair onward"></nav>', "pair, onward"],
  // The word alone, and another class.
  ['<p>prose</p><p class=\'x\' data-x="prose"></p><p class="prose-like">', null],
])("auditPage() knows which sheets a page needs: %s", (body, missing) => {
  const faults = auditHtml(page(body)).filter((line) => line.startsWith("style sheet missing"));
  const names = missing === null ? [] : missing.split(", ");
  const line = (name: string) => `style sheet missing: none of its sheets styles the class ${name}`;
  expect(faults).toEqual(names.map(line));
  const bare = page('<header class="masthead"></header>').replace('href="/a.css"', 'href="/b.css"');
  expect(auditHtml(bare)).toContain(line("masthead"));
});

test("weighFiles() reads the classes that a sheet styles", () => {
  const sheets: Record<string, string> = {
    "a.css": "@layer x{.masthead>a{color:red}.prose-like{}.onward:hover{}}",
  };
  const { styles } = weighFiles((file) => Buffer.from(sheets[file] ?? ""));
  expect([...styles("a.css")]).toEqual(["masthead", "onward"]);
});
