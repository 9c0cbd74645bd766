import { expect, test } from "vitest";
import { isStale } from "../../src/contract/stale.ts";

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-08T00:00:00Z", false],
  ["2026-01-01T00:00:00Z", "2026-01-08T00:00:01Z", true],
  [null, "2026-01-08T00:00:01Z", false],
])("isStale() of %s at %s, after 7 days, is %s", (dataAsOf, now, expected) => {
  expect(isStale(dataAsOf, 7, Date.parse(now))).toBe(expected);
});
