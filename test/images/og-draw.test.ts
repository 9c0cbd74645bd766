import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { OG_SIZES } from "../../src/contract/picture.ts";
import { WORDS } from "../support/snapshot/index.ts";
import { linesOf, quoteImage, studio } from "./support/og-images.ts";

const MARGIN = { wide: 96, square: 104 };

test("images in seven scripts keep to their margins, on the side where they are read from", async () => {
  const thanking = studio();
  const shapes = ["wide", "square"] as const;
  const requests = ["en", "ru", "ar", "he", "hi", "be", "te"].map((code) =>
    quoteImage(WORDS[code] ?? "", code, { shapes, byline: "An author" }),
  );
  expect(await thanking.run(requests)).toMatchObject({ made: 14, skipped: 0 });
  for (const { key, language } of requests) {
    for (const shape of shapes) {
      const png = thanking.read(key, shape) ?? Buffer.alloc(0);
      const { width, height, format } = await sharp(png).metadata();
      expect({ width, height, format }).toEqual({ ...OG_SIZES[shape], format: "png" });
      const [start, end] = [MARGIN[shape], width - MARGIN[shape]];
      const tops: number[] = [];
      for (const layer of ["accent", "ink", "muted"] as const) {
        const lines = await linesOf(png, layer);
        const left = Math.min(...lines.map((line) => line.left));
        const right = Math.max(...lines.map((line) => line.right));
        expect(left).toBeGreaterThanOrEqual(start - 1);
        expect(right).toBeLessThanOrEqual(end + 1);
        expect(language.dir === "ltr" ? left - start : end - right).toBeLessThan(14);
        tops.push(lines[0]?.top ?? 0);
        // The byline, and whom the image thanks.
        if (layer === "muted") expect(lines).toHaveLength(2);
      }
      // From the top: mark, words, byline.
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    }
  }
});

test("a name keeps its own direction below a quote of the other direction", async () => {
  // The marks of the second leave no choice.
  const [name, marked] = ["Hillel, Jr.", "\u200EHillel, Jr.\u200E"].map((byline) =>
    quoteImage(WORDS["he"] ?? "", "he", { key: byline, byline }),
  );
  const drawing = studio();
  await drawing.run([name, marked].flatMap((request) => request ?? []));
  expect(drawing.read(name?.key ?? "")).toEqual(drawing.read(marked?.key ?? ""));
});

const BALANCED = [
  "If you want to go fast, go alone; if you want to go far, go together.",
  "No act of kindness, no matter how small, is ever wasted on anyone.",
];
const SENTENCE = "A sentence that goes on and on. ";
const LENGTHS = ["Be brief.", SENTENCE.repeat(7), SENTENCE.repeat(30), "x".repeat(3_000)];
const VERSE = "Two roads diverged in a wood, and I,\nI took the one less travelled by,\nAnd that";
const SPAN = '<span size="1">x</span>';
const TEXTS = [
  ...[...BALANCED, ...LENGTHS, VERSE, SPAN, "a < b && c > d", "]]> &amp; &#0; \u0000"],
  ...["<b", "</span>"],
];

const { run, read } = studio({ attribution: null });
beforeAll(async () => {
  const requests = TEXTS.map((text, at) => quoteImage(text, "en", { key: String(at) }));
  expect(await run(requests)).toMatchObject({ made: TEXTS.length, skipped: 0 });
});

/** The lines of the image of one of these texts; the last in ink is the foot. */
const linesOfText = (text: string, layer: "ink" | "muted" = "ink") =>
  linesOf(read(String(TEXTS.indexOf(text))) ?? Buffer.alloc(0), layer);

test.each(BALANCED)("lines are balanced: no last word has a line of its own: %s", async (text) => {
  const lines = (await linesOfText(text)).slice(0, -1);
  const widths = lines.map(({ left, right }) => right - left);
  expect(widths).toHaveLength(3);
  // Set as wide as they may be, the last lines have 0.43 and 0.72 of the longest.
  expect(Math.min(...widths)).toBeGreaterThan(Math.max(...widths) * 0.85);
});

test("short words are set large, long ones smaller, and the longest are cut", async () => {
  const heights: number[] = [];
  for (const text of LENGTHS) {
    const lines = await linesOfText(text);
    heights.push((lines[0]?.bottom ?? 0) - (lines[0]?.top ?? 0));
    // Between the words and the foot, there is air.
    expect((lines.at(-1)?.top ?? 0) - (lines.at(-2)?.bottom ?? 0)).toBeGreaterThan(40);
  }
  expect(heights[0]).toBeGreaterThan(heights[1] ?? 0);
  expect(heights[1]).toBeGreaterThan(heights[2] ?? 0);
});

test("verse keeps its lines", async () => {
  expect(await linesOfText(VERSE)).toHaveLength(3 + 1);
});

test("markup in a quote is words like others", async () => {
  const [words] = await linesOfText(SPAN);
  expect((words?.right ?? 0) - (words?.left ?? 0)).toBeGreaterThan(500);
});

test("an image has no attribution where none is asked for", async () => {
  expect(await linesOfText("Be brief.", "muted")).toEqual([]);
});
