import { expect, test } from "vitest";
import { hasFeed, languageSetCount, randomSetCount } from "../../src/plan/listed-files.ts";

test.each([
  [0, 0],
  [1, 1],
  [63, 1],
  [64, 2],
  [127, 2],
  [128, 4],
  [8_191, 128],
  [8_192, 256],
  [1_000_000, 256],
])("randomSetCount() of %i quotes is %i", (quotes, files) => {
  expect(randomSetCount(quotes)).toBe(files);
  expect(languageSetCount(quotes)).toBe(Math.min(8, files));
});

test("hasFeed(): every language has one, and another listing from 50 quotes on", () => {
  expect([hasFeed("language", 0), hasFeed("tag", 49), hasFeed("tag", 50)]).toEqual([
    true,
    false,
    true,
  ]);
});
