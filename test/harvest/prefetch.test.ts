/** Prefetch keeps the service busy while a page is stored, and never exceeds the limit of requests in flight. */
import { expect, test } from "vitest";
import type { ServedPage } from "../../src/contract/window.ts";
import { Prefetch, type Position } from "../../src/harvest/walk/prefetch.ts";

const LAST = 60;

/** A service that answers on command, and records the requested offsets. */
function service() {
  const asked: number[] = [];
  const waiting = new Map<number, () => void>();
  const get = (offset: number): Promise<ServedPage> => {
    asked.push(offset);
    return new Promise((resolve) => {
      waiting.set(offset, () => {
        waiting.delete(offset);
        const next = offset >= LAST ? null : { offset: offset + 10, limit: 10 };
        resolve({ offset, quotes: [], quarantined: [], shape: "envelope", next, count: null });
      });
    });
  };
  return { asked, get, waiting, answer: (offset: number) => waiting.get(offset)?.() };
}

const position = (offset: number): Position => ({
  offset,
  end: offset + 1,
  step: 10,
  expected: null,
});

test.each([
  ["one after another", 1, [0], []],
  ["two in flight", 2, [0, 10, 20], [10, 20]],
  ["four in flight", 4, [0, 10, 20, 30, 40], [10, 20, 30, 40]],
])(
  "take(), %s: the next request is sent before a page is returned",
  async (_, depth, asked, inFlight) => {
    const wire = service();
    const prefetch = new Prefetch(wire.get, depth);
    const page = prefetch.take(position(0));
    wire.answer(0);
    expect((await page).offset).toBe(0);
    expect(wire.asked).toEqual(asked);
    expect([...wire.waiting.keys()]).toEqual(inFlight);
  },
);

test("take() requests nothing after a last page", async () => {
  const wire = service();
  const prefetch = new Prefetch(wire.get, 2);
  const page = prefetch.take(position(LAST));
  wire.answer(LAST);
  await page;
  expect(wire.asked).toEqual([LAST, LAST + 10]);
});

test("fetch() waits for the limit of requests in flight", async () => {
  const wire = service();
  const prefetch = new Prefetch(wire.get, 2);
  const page = prefetch.take(position(0));
  wire.answer(0);
  await page;
  const aside = prefetch.fetch(5);
  await new Promise(setImmediate);
  expect(wire.asked).toEqual([0, 10, 20]);
  wire.answer(10);
  await expect.poll(() => wire.asked).toEqual([0, 10, 20, 5]);
  wire.answer(5);
  expect((await aside).offset).toBe(5);
  // A page that arrived meanwhile is not requested again.
  expect((await prefetch.take(position(10))).offset).toBe(10);
});
