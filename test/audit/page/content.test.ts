/** What a page has of links, quotes and the attribution, one fault at a time. */
import { expect, test } from "vitest";
import { auditHtml } from "./one-page.ts";
import { ATTRIBUTION, FOOTER, page, quote } from "../site.ts";

test.each<[string, string[]]>([
  ['<a href="/missing/">x</a>', ["broken link: /missing/ leads to no file"]],
  [
    '<img alt="" srcset="/missing.avif 1x, /a.css 2x">',
    ["broken link: /missing.avif leads to no file"],
  ],
  ['<a href="#no">x</a>', ["broken link: #no has no target on the page"]],
  ['<a href="/x/#no">x</a>', ["broken link: /x/#no has no target on the page"]],
  ['<a href="JAVASCRIPT:alert(1)">x</a>', ["unsafe link: JAVASCRIPT:alert(1)"]],
  ['<svg><a xlink:href="javascript:a()">x</a></svg>', ["unsafe link: javascript:a()"]],
  ['<p id="main"></p>', ['id twice: "main"']],
])("auditPage() on %s", (body, lines) => {
  expect(auditHtml(page(body))).toEqual(lines);
});

const both = quote(1) + quote(2);

test.each<[string, string[]]>([
  [both, []],
  [quote(1), ["quote missing: q2"]],
  [both + quote(3), ["quote not planned: q3"]],
  [both + quote(2), ['id twice: "q2"', "quote twice: q2"]],
  [quote(2) + quote(1), ["quote out of order: q2 is in the place of q1"]],
  [both.replace('data-pk="2"', 'data-pk="1"'), ["quote markup: q2 has another data-pk"]],
  [
    both.replace('lang="en" dir="ltr"', ""),
    ["quote markup: q1 has no lang", "quote markup: q1 has no dir"],
  ],
  [both.replace('"en"', '"de"'), ['quote markup: q1 has the lang "de" of no quote here']],
])("auditPage() on the quotes 1 and 2 as %s", (body, lines) => {
  expect(auditHtml(page(body), { quotes: [1, 2] })).toEqual(lines);
});

test("auditPage() accepts any lang where the languages of some quotes are unknown", () => {
  const body = page(quote(1).replace('"en"', '"de"'));
  expect(auditHtml(body, { quotes: [1], langs: ["en", "und"] })).toEqual([]);
  expect(auditHtml(body, { quotes: [1], langs: [] })).toEqual([]);
});

const NOT_IN_FOOTER = "it is not in the page's footer";
test.each([
  ["there are 0", "<footer></footer>"],
  ["there are 0", `<!--${FOOTER}-->`],
  ["there are 2", FOOTER + FOOTER],
  [NOT_IN_FOOTER, FOOTER.replaceAll("footer", "div")],
  [NOT_IN_FOOTER, `<section>${FOOTER}</section>`],
  [`it does not lead to ${ATTRIBUTION}`, FOOTER.replace(ATTRIBUTION, "https://x.example/")],
  [`it does not lead to ${ATTRIBUTION}`, FOOTER.replace(/href="[^"]*"/, "")],
  ["it is hidden", FOOTER.replace("<footer", "<footer hidden")],
  ["it is hidden", FOOTER.replace("<a ", '<a style="display: none" ')],
  ["it is hidden", FOOTER.replace("<a ", "<p hidden><i></i><br><a ").replace("</a>", "</a></p>")],
  ["it is hidden", `<div style="display:none">${FOOTER}</div>`],
  ["it is hidden", FOOTER.replace("<footer", "<footer inert")],
  ["it has no text", FOOTER.replace("Quotes from a service", "<b> </b>")],
])("auditPage() finds of an attribution that %s: %s", (detail, footer) => {
  expect(auditHtml(page("", footer))).toEqual([`attribution: ${detail}`]);
  expect(auditHtml(page("", footer), {}, { attribution: null })).toEqual([]);
});

test("auditPage() accepts an attribution beside and behind hidden elements", () => {
  const footer = `<p hidden>x</p><footer><i hidden>x</i><br>${FOOTER.slice("<footer>".length)}`;
  expect(auditHtml(page("", footer))).toEqual([]);
});
