/** The export: the contract's field names, one safe line a quote, at the reader's pace. */
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import type { Quote } from "../../src/contract/quote.ts";
import type { PublishedSnapshot } from "../../src/snapshot/index.ts";
import { exportQuotes } from "../../src/snapshot/export.ts";

const quote = (id: number, text: string): Quote => ({
  id,
  text,
  author: null,
  likes: 0,
  tags: ["a"],
  image: null,
  language: "en",
  served: null,
  source: null,
});

/** The one part of a snapshot that the export reads. */
const snapshotOf = (quotes: readonly Quote[]) =>
  ({ all: () => quotes }) as Pick<PublishedSnapshot, "all">;

test("exportQuotes() writes the contract's fields in order, and nothing that steers a terminal", async () => {
  const to = new PassThrough();
  const steering = "a\u001b[2Jb\u009b31mc\u2028d\u202e\u202de##[error]f";
  await exportQuotes(snapshotOf([quote(1, steering), quote(2, "שלום ✓")]), to);
  to.end();
  const lines = String(to.read()).trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202a-\u202e]|##\[/);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    pk: 1,
    quote: steering,
    author: null,
    likes: 0,
    tags: ["a"],
    image: null,
    language: "en",
  });
  expect(lines[1]).toContain("שלום ✓");
});

test("exportQuotes() waits for a slow reader", async () => {
  let held = 0;
  let most = 0;
  const to = new Writable({
    highWaterMark: 1_000,
    write(chunk: Buffer, _encoding, done) {
      held += chunk.length;
      most = Math.max(most, held);
      setTimeout(() => {
        held -= chunk.length;
        done();
      }, 1);
    },
  });
  const many = Array.from({ length: 5_000 }, (_, id) => quote(id + 1, "x".repeat(100)));
  await exportQuotes(snapshotOf(many), to);
  expect(most).toBeLessThan(100_000);
});

test("exportQuotes() ends quietly when its reader goes away", async () => {
  const to = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  const many = Array.from({ length: 5_000 }, (_, id) => quote(id + 1, "x".repeat(100)));
  await expect(exportQuotes(snapshotOf(many), to)).resolves.toBeUndefined();
});
