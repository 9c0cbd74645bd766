/** Pages asked for ahead: the service has something to do while one is stored, and never more than it may have. */
import { expect, test } from "vitest";
import type { ServedPage } from "../../src/contract/window.ts";
import { Ahead, type Course } from "../../src/harvest/walk/ahead.ts";

const LAST = 60;

/** A service that answers when it is told to, and notes the offsets it was asked for. */
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

const course = (offset: number): Course => ({ offset, end: offset + 1, step: 10, expected: null });

test.each([
  ["one after another", 1, [0], []],
  ["two in flight", 2, [0, 10, 20], [10, 20]],
  ["four in flight", 4, [0, 10, 20, 30, 40], [10, 20, 30, 40]],
])(
  "take(), %s: before a page is handed out the next request has gone in its place",
  async (_, depth, asked, inFlight) => {
    const wire = service();
    const ahead = new Ahead(wire.get, depth);
    const page = ahead.take(course(0));
    wire.answer(0);
    expect((await page).offset).toBe(0);
    expect(wire.asked).toEqual(asked);
    expect([...wire.waiting.keys()]).toEqual(inFlight);
  },
);

test("take() asks for nothing behind a page that is the last", async () => {
  const wire = service();
  const ahead = new Ahead(wire.get, 2);
  const page = ahead.take(course(LAST));
  wire.answer(LAST);
  await page;
  expect(wire.asked).toEqual([LAST, LAST + 10]);
});

test("beside() waits until its request is not one too many", async () => {
  const wire = service();
  const ahead = new Ahead(wire.get, 2);
  const page = ahead.take(course(0));
  wire.answer(0);
  await page;
  const aside = ahead.beside(5);
  await new Promise(setImmediate);
  expect(wire.asked).toEqual([0, 10, 20]);
  wire.answer(10);
  await expect.poll(() => wire.asked).toEqual([0, 10, 20, 5]);
  wire.answer(5);
  expect((await aside).offset).toBe(5);
  // What arrived meanwhile is not asked for again.
  expect((await ahead.take(course(10))).offset).toBe(10);
});
