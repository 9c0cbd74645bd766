/** One test of the first tier, and two of the second. */
import { expect, test } from "vitest";
import { inTiers, LONG } from "../../support/tier.ts";

for (const { cases, options } of inTiers(["first", "second"], 1))
  test.each(cases)("the %s case is of its tier", options, (tier) => {
    expect(tier === "second").toBe(LONG);
  });

test("a tag makes a test one of the second tier", { tags: "long" }, () => {
  expect(LONG).toBe(true);
});
