import { expect, test } from "vitest";

test("waits in vain each time", async () => {
  await expect.poll(() => 1, { timeout: 100 }).toBe(2);
});
