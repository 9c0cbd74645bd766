/** Which quotes can be embedded. */
import { expect, test } from "vitest";
import { makeSite } from "../support/site/index.ts";

const quotes = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, likes: index * 10 }));

const termsWith = (options: Parameters<typeof makeSite>[1]) =>
  Array.from(makeSite(quotes, options).embedPages(), ({ term }) => term);

test("embedPages() has the most liked quotes with a page of their own, and today's", () => {
  expect(termsWith({ embeds: 3 })).toEqual(["today", "7", "8", "9"]);
  expect(termsWith({ embeds: 99 })).toHaveLength(10);
  expect(termsWith({ embeds: 99, quotePages: 2 })).toEqual(["today", "8", "9"]);
  expect(termsWith({ embeds: 0 })).toEqual([]);
  expect(termsWith({ embeds: 3, hidden: { pks: [9], authors: [], tags: [] } })).not.toContain("9");
});
