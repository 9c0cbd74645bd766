import { expect, test } from "vitest";
import { fitOf } from "../../src/contract/quote-fit.ts";

test.each([
  [1, 0, "short"],
  [72, 0, "short"],
  [73, 0, "medium"],
  [180, 0, "medium"],
  [181, 0, "long"],
  [420, 0, "long"],
  [421, 0, "full"],
  // A line break is a character and counts as twelve more.
  [59, 1, "short"],
  [60, 1, "medium"],
])("fitOf() a text of %i letters and %i line breaks is %s", (letters, breaks, expected) => {
  expect(fitOf("a".repeat(letters) + "\n".repeat(breaks))).toBe(expected);
});
