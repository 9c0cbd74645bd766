import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { QUOTATION_MARKS } from "../../src/contract/quotation-marks.ts";

const CSS = readFileSync(join(import.meta.dirname, "../../src/styles/base.css"), "utf8");

test("QUOTATION_MARKS are the marks that the style sheet sets, language by language", () => {
  const inCss: Record<string, readonly string[]> = {};
  for (const [, selector = "", open = "", close = ""] of CSS.matchAll(
    /([^{}]*:lang[^{}]*) \{\s*quotes: "(.)" "(.)";/g,
  )) {
    for (const [, tag = ""] of selector.matchAll(/:lang\((\w+)\)/g)) inCss[tag] = [open, close];
  }
  const inTable = Object.entries(QUOTATION_MARKS).map(([tag, marks]) => {
    return [tag, marks.map((mark) => mark.trim())] as const;
  });
  expect(inCss).toEqual(Object.fromEntries(inTable));
});
