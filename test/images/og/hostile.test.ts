/** Texts that are hard to set: the build goes on, and every other page has its image. */
import { expect, test } from "vitest";
import { quoteImage, studio } from "../support/og-images.ts";

const lines = (many: number, line: string): string => Array(many).fill(line).join("\n");

test.each([
  ["430 short lines", lines(430, "a"), 3, 0],
  ["400 lines of words", lines(400, "A line of words"), 3, 0],
  ["10,000 letters in a row", "W".repeat(10_000), 3, 0],
  ["8,000 Arabic letters in a row", "\u0628".repeat(8_000), 3, 0],
  ["10,000 brackets", "(".repeat(10_000), 3, 0],
  ["10,000 combining marks on one letter", `o${"\u0301".repeat(10_000)}`, 1, 1],
])("makeOgImages() sets or skips a quote of %s", async (_, text, made, skipped) => {
  const { run, read } = studio();
  const report = await run([
    quoteImage("Commonplace", "en", { key: "", style: "title" }),
    quoteImage(text, "en", { key: "hard", shapes: ["wide", "square"] }),
  ]);
  expect(report).toMatchObject({ made, skipped, skippedKeys: skipped === 0 ? [] : ["hard"] });
  // A page without an image of its own is shown with the site's.
  if (skipped > 0) expect(read("hard")).toEqual(read(""));
  else expect(read("hard")).not.toEqual(read(""));
});
