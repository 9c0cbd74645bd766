import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eachOf } from "../../src/contract/work.ts";

test("eachOf() does all of a list, a few at a time, and takes no more of it than that", async () => {
  let [taken, done, most] = [0, 0, 0];
  function* items(): Generator<number> {
    for (let at = 0; at < 50; at++) {
      taken++;
      yield at;
    }
  }
  await eachOf(items(), 3, async () => {
    most = Math.max(most, taken - done);
    await sleep(0);
    done++;
  });
  expect([done, most]).toEqual([50, 3]);
});

test("eachOf() ends at the first failure, after what is in hand", async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const working = eachOf(Array(100).keys(), 2, async (at) => {
    begun.push(at);
    await sleep(at === 3 ? 0 : 5);
    if (at === 3) throw new Error("torn");
    ended.push(at);
  });
  await expect(working).rejects.toThrow("torn");
  expect(begun.length).toBeLessThan(7);
  expect(ended).toHaveLength(begun.length - 1);
});
