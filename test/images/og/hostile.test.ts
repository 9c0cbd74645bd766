/** Texts that are hard to set: the build goes on, and every other page has its image. */
import { expect, test } from "vitest";
import { quoteImage, studio } from "../support/og-images.ts";

const lines = (many: number, line: string): string => Array(many).fill(line).join("\n");

test("makeOgImages() sets or skips a quote of any text", async () => {
  const skipped = `o${"\u0301".repeat(10_000)}`;
  const set = [
    ...[lines(430, "a"), lines(400, "A line of words"), "W".repeat(10_000)],
    ...["\u0628".repeat(8_000), "(".repeat(10_000)],
  ];
  const { run, read } = studio();
  const report = await run([
    quoteImage("Commonplace", "en", { key: "", style: "title" }),
    ...[...set, skipped].map((text, at) =>
      quoteImage(text, "en", { key: String(at), shapes: ["wide", "square"] }),
    ),
  ]);
  const last = String(set.length);
  expect(report).toMatchObject({ made: 1 + 2 * set.length, skipped: 1, skippedKeys: [last] });
  for (const key of set.keys()) expect(read(String(key))).not.toEqual(read(""));
  // A page without an image of its own is shown with the site's.
  expect(read(last)).toEqual(read(""));
});
