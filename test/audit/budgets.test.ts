/** The budget of a page: by its kind, and a factor of the site's own. */
import { expect, test } from "vitest";
import { budgetFor } from "../../src/audit/page/budgets.ts";
import { readSettings } from "../../src/settings/settings.ts";

const settingsFor = (html?: number) => {
  const { site } = readSettings({}, {}, html === undefined ? {} : { budgets: { html } });
  return site;
};

test.each(["home", "quote", "tag", "moved"] as const)(
  "budgets.html multiplies the HTML of the kind %s, and nothing else",
  (kind) => {
    const usual = budgetFor(kind, settingsFor());
    expect(budgetFor(kind, settingsFor(1.5))).toEqual({ ...usual, html: usual.html * 1.5 });
  },
);

test("a listing has room for its quotes", () => {
  const site = settingsFor();
  const of = (perPage: number) => budgetFor("author", { ...site, perPage }).html;
  expect(of(100) - of(50)).toBe(50 * 2_400);
});
