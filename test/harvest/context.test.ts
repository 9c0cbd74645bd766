/** Windows of served pages: what a chain is linked by. */
import { expect, test } from "vitest";
import { EVERYTHING, type ServedPage } from "../../src/contract/window.ts";
import { windowOf } from "../../src/harvest/context.ts";
import type { Quote } from "../../src/contract/quote.ts";

const QUOTE: Omit<Quote, "id"> = {
  text: "Words",
  author: null,
  likes: 0,
  tags: [],
  image: null,
  language: "en",
  served: null,
};

test.each([
  ["every record is readable", [1, 2, 3], [], [1, 2, 3]],
  ["the first is unreadable", [2, 3], [{ index: 0, pk: 1 }], [1, 2, 3]],
  [
    "two in the middle are unreadable",
    [1, 4],
    [
      { index: 1, pk: 2 },
      { index: 2, pk: 3 },
    ],
    [1, 2, 3, 4],
  ],
  ["the last has no readable key", [1, 2], [{ index: 2, pk: null }], [1, 2]],
])("windowOf() keeps keys in the order served where %s", (_, readable, unreadable, pks) => {
  const page: ServedPage = {
    offset: 7,
    quotes: readable.map((id) => ({ ...QUOTE, id })),
    quarantined: unreadable.map((one) => ({ ...one, reason: "Cannot read likes" })),
    shape: "envelope",
    next: null,
    count: null,
  };
  const window = windowOf(page, EVERYTHING, "walk");
  expect(window).toMatchObject({ offset: 7, pks, got: readable.length + unreadable.length });
});
