// @module-tag sized
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

test("fails before the time is spent", () => {
  expect(1).toBe(2);
});
test("is under way when the time is spent", () => sleep(600_000));
