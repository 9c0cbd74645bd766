import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget } from "../../../src/images/encode/budget.ts";

test("Budget is never overdrawn, does everything, and lets the largest go alone", async () => {
  const needs = fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(needs, async (all) => {
      const budget = new Budget(100);
      const order: number[] = [];
      const inHand = new Set<number>();
      await Promise.all(
        all.map((bytes, at) =>
          budget.within(bytes, async () => {
            order.push(at);
            inHand.add(at);
            const taken = [...inHand].reduce((sum, one) => sum + (all[one] ?? 0), 0);
            if (inHand.size > 1) expect(taken).toBeLessThanOrEqual(100);
            await sleep(0);
            inHand.delete(at);
          }),
        ),
      );
      // First come, first served: nobody waits for ever.
      expect(order).toEqual([...all.keys()]);
    }),
    { numRuns: 50 },
  );
});

test("Budget gets back what failing work had taken", async () => {
  const budget = new Budget(1);
  const failing = budget.within(1, () => Promise.reject(new Error("torn")));
  await expect(failing).rejects.toThrow("torn");
  expect(await budget.within(1, () => Promise.resolve("done"))).toBe("done");
});
