import { expect, test } from "vitest";
import { shownLikes } from "../../src/plan/likes.ts";

test.each([
  [0, 0],
  [99, 99],
  [100, 100],
  [109, 100],
  [110, 110],
  [999, 990],
  [1_000, 1_000],
  [1_234, 1_200],
  [9_999_999, 9_900_000],
  [-7, -7],
  [-1_234, -1_200],
])("shownLikes(%j) is %j", (likes, shown) => {
  expect(shownLikes(likes)).toBe(shown);
});
