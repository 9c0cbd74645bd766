import { expect, test } from "vitest";
import { localeOf } from "../../src/i18n/locale.ts";
import { pageTitle, quoteHead } from "../../src/layouts/page-props.ts";
import type { CardData } from "../../src/site/index.ts";

test("two quotes of an author with a long name have titles of their own", () => {
  const titleOf = (text: string): string => {
    const card = { author: { name: "Office of the Commissioner ".repeat(8) }, quote: { text } };
    return pageTitle(quoteHead(localeOf("en", "en"), card as CardData).title, "Commonplace");
  };
  expect(titleOf("Know thyself.")).toBe("Office of the Commissioner…: Know thyself. · Commonplace");
  expect(titleOf("Nothing in excess.")).not.toBe(titleOf("Know thyself."));
});
