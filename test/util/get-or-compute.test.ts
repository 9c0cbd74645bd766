import { expect, test } from "vitest";
import { getOrCompute } from "../../src/util/get-or-compute.ts";

test("getOrCompute computes a value once, also undefined and what was known before", () => {
  const asked: string[] = [];
  const compute = (key: string): string | undefined => {
    asked.push(key);
    return key === "none" ? undefined : key.toUpperCase();
  };
  const map = new Map<string, string | undefined>([["known", "before"]]);
  for (const key of ["a", "none", "known", "a", "none"]) getOrCompute(map, key, compute);
  expect([...map]).toEqual([
    ["known", "before"],
    ["a", "A"],
    ["none", undefined],
  ]);
  expect(asked).toEqual(["a", "none"]);
});

test("getOrCompute keeps nothing of a computation that fails, and lets it fill other keys", () => {
  const map = new Map<number, number>();
  const fail = (): number => {
    throw new RangeError("no value");
  };
  expect(() => getOrCompute(map, 1, fail)).toThrow("no value");
  expect(map.size).toBe(0);
  const factorial = (n: number): number => (n < 2 ? 1 : n * getOrCompute(map, n - 1, factorial));
  expect(getOrCompute(map, 5, factorial)).toBe(120);
  expect(map.size).toBe(5);
});
