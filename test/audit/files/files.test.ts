/** Files of the API, sheets, scripts and pictures, one fault at a time; and dates. */
import { expect, test } from "vitest";
import { isRfc3339, isRfc822, isW3cDate } from "../../../src/audit/files/dates.ts";
import { faultsOf } from "./one-file.ts";

test.each<[string, string, RegExp]>([
  ["that is not JSON", "<html>", /^API file: it is not JSON$/],
  ["without a field", '{"quotes":[]}', /^API file: date: /],
  ["with a field of another type", '{"date":"x","quotes":["1"]}', /^API file: quotes\.0: /],
  ["with an unknown field", '{"date":"x","quotes":[],"token":1}', /^API file: the file: .*token/],
])("auditFile() finds a file of the API %s", (_, content, fault) => {
  expect(faultsOf("api/v1/today.json", content)).toEqual([expect.stringMatching(fault)]);
});

test("auditFile() finds a kind of API file that the schema does not define", () => {
  expect(faultsOf("api/v1/where/1.json", "{}")).toEqual([
    'API file: api/v1/schema.json has no usable definition of "where"',
  ]);
});

test.each<[string, string]>([
  ["a.css", "@import url(https://cdn.example/a.css);"],
  ["a.css", "a{background:URL( '//cdn.example/a.png' )}"],
  ["a.js", "await fetch(`https://cdn.example/${id}`)"],
  ["a.js", 'x.open("POST", "https://cdn.example/a")'],
  ["a.mjs", 'import"https://cdn.example/a.js"'],
  ["a.svg", '<svg><image href="https://cdn.example/a.png"/></svg>'],
])("auditFile() finds what %s asks for elsewhere: %s", (file, content) => {
  expect(faultsOf(file, content)).toEqual([
    expect.stringMatching(/^request elsewhere: .*cdn\.example/),
  ]);
});

test("auditFile() finds what a style sheet names and the site does not have", () => {
  const there =
    "a{b:url(/tag/love/);--c:url(../tag/love/);e:url(\"data:image/svg+xml,<g fill='url(%23f)'/>\")}";
  expect(faultsOf("_astro/a.css", `/* url(/no) */${there}`)).toEqual([]);
  expect(faultsOf("_astro/a.css", "@import '../no.css';a{--a:url( /no.png )}")).toEqual([
    "broken link: ../no.css leads to no file",
    "broken link: /no.png leads to no file",
  ]);
});

test.each([
  [isRfc822, "Sat, 21 Nov 2026 00:00:00 GMT", true],
  [isRfc822, "Sun, 21 Nov 2026 00:00:00 GMT", false],
  [isRfc822, "31 Feb 2026 00:00:00 GMT", false],
  [isRfc822, "21 Nov 26 00:00:00 GMT", false],
  [isRfc3339, "2026-11-21T23:59:59+01:00", true],
  [isRfc3339, "2026-11-21T24:00:00Z", false],
  [isRfc3339, "2026-13-01T00:00:00Z", false],
  [isW3cDate, "2026-11-21", true],
  [isW3cDate, "2026-02-30", false],
])("%o of %s is %s", (is, text, expected) => {
  expect(is(text)).toBe(expected);
});
