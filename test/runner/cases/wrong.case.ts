import { expect, test } from "vitest";

test("waits in vain", async () => {
  await expect.poll(() => 1, { timeout: 100 }).toBe(2);
});

test("is wrong", () => {
  expect(1).toBe(2);
});
