/** Prefetch keeps the service busy while a page is stored. */
import { expect, test } from "vitest";
import type { ServedPage } from "../../src/contract/window.ts";
import { Prefetch } from "../../src/harvest/walk/prefetch.ts";

const EMPTY = { quotes: [], quarantined: [], shape: "envelope", count: null } as const;

test.each([
  [1, [0]],
  [2, [0, 10, 20]],
  [4, [0, 10, 20, 30, 40]],
])(
  "take() sends the next requests before it returns a page, %i in flight",
  async (depth, wanted) => {
    const asked: number[] = [];
    const get = (offset: number): Promise<ServedPage> => {
      asked.push(offset);
      const next = { offset: offset + 10, limit: 10 };
      // The others are not answered: what is counted is in flight.
      return offset > 0
        ? new Promise(() => undefined)
        : Promise.resolve({ ...EMPTY, offset, next });
    };
    await new Prefetch(get, depth).take({ offset: 0, end: 1, step: 10, expected: null });
    expect(asked).toEqual(wanted);
  },
);
