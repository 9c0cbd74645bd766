import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EncodedPicture, encodePicture } from "../../src/images/encode.ts";
import { JobFailed, openPool, type Pool } from "../../src/images/pool.ts";
import { fitThumbnail } from "../../src/images/recipe.ts";
import { realFile } from "../support/snapshot/index.ts";
import { type MadePicture, madePictures, quarters } from "./support/made-pictures.ts";

test("encodePicture() makes AVIF and WebP, plain and at twice the pixels", async () => {
  const picture = await encodePicture(await quarters().jpeg().toBuffer());
  expect(picture).toMatchObject({ width: 192, height: 240 });
  for (const variant of picture.variants) {
    const found = await sharp(variant.bytes).metadata();
    expect(found.mediaType).toBe(variant.type);
    expect([found.width, found.height]).toEqual([variant.width, variant.height]);
    expect(variant.width).toBe(192 * variant.density);
  }
  const made = picture.variants.map(({ type, density }) => `${type} ${density}`);
  expect(made).toEqual(["image/avif 1", "image/avif 2", "image/webp 1", "image/webp 2"]);
});

const plain = (background: string, side = 300, channels: 3 | 4 = 3) =>
  sharp({ create: { width: side, height: side, channels, background } }).png();

test.each([
  ["the mean colour", plain("#336699"), "#336699"],
  ["the mean grey", plain("#808080").grayscale(), "#808080"],
  ["no colour where a reader sees through", plain("#33669980", 300, 4), null],
])("encodePicture() names %s", async (_, picture, colour) => {
  expect((await encodePicture(await picture.toBuffer())).colour).toBe(colour);
});

test.each([
  ["a portrait fills the box", [2_400, 3_000], [192, 240], [384, 480, 2]],
  ["a landscape is as wide as the box", [3_000, 2_000], [192, 128], [384, 256, 2]],
  ["what is small stays as it is", [140, 175], [140, 175], null],
  ["a little more than the box gives no second variant", [230, 288], [192, 240], null],
  ["too small for twice", [290, 358], [192, 237], [290, 358, 1.51]],
  ["a strip loses its ends", [2_400, 160], [192, 96], [320, 160, 1.67]],
  ["a tower loses its ends", [100, 5_000], [100, 200], null],
])("fitThumbnail(): %s", (_, [width = 0, height = 0], plain, dense) => {
  const fit = fitThumbnail({ width, height });
  expect([fit.plain.width, fit.plain.height]).toEqual(plain);
  const { dense: found } = fit;
  expect(found === null ? null : [found.width, found.height, found.density]).toEqual(dense);
});

test("fitThumbnail() stays within its box, never enlarges, never vanishes", () => {
  const side = fc.integer({ min: 1, max: 20_000 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const { plain, dense } = fitThumbnail({ width, height });
      for (const size of [plain, dense ?? plain]) {
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1);
        expect(size.width).toBeLessThanOrEqual(Math.min(384, width));
        expect(size.height).toBeLessThanOrEqual(Math.min(480, height));
      }
      expect(plain.width).toBeLessThanOrEqual(192);
      expect(plain.height).toBeLessThanOrEqual(240);
    }),
  );
});

/** Why some of the real pictures have no thumbnail; the others have one. */
const REFUSED: Readonly<Record<string, string>> = {
  "Benjamin_Franklin.avif": "too-many-pixels",
  "broken-empty.jpg": "not-a-picture",
  "broken-not-an-image.png": "not-a-picture",
  "broken-truncated.jpg": "damaged",
  "chat-quote-fill.svg": "not-a-picture",
  "one-pixel.gif": "too-small",
  "quote.svg": "not-a-picture",
  "schopenhauer.tiff": "not-a-picture",
};

/** Ours, and the 50 of the real data where `REAL_QUOTES` names its folder. */
async function pictures(): Promise<Map<string, MadePicture>> {
  const all = await madePictures();
  const real = realFile("images");
  if (real === null) return all;
  for (const name of readdirSync(real).filter((file) => !file.endsWith(".json"))) {
    const bytes = readFileSync(join(real, name));
    all.set(name, { bytes, reason: REFUSED[name] ?? null });
  }
  return all;
}

let encoder: Pool<Uint8Array, EncodedPicture>;
beforeAll(() => {
  const entry = new URL("../../src/images/encode-child.ts", import.meta.url);
  encoder = openPool({ entry, jobTimeoutMs: 60_000 });
});
afterAll(() => encoder.close());

test("each picture gives a right thumbnail or a reason", async () => {
  const all = await pictures();
  expect(all.size).toBeGreaterThanOrEqual(25);
  const outcomes = await Promise.all(
    [...all].map(async ([name, { bytes }]) => [name, await outcome(bytes)] as const),
  );
  const expected = [...all].map(([name, { reason }]) => [name, reason ?? "fine"]);
  expect(outcomes).toEqual(expected);
});

/** `fine`, or what is wrong; a thumbnail is compared with what sharp makes of the same file by itself. */
async function outcome(bytes: Buffer): Promise<string> {
  try {
    const { width, height, variants } = await encoder.run(bytes);
    const plain = sharp(bytes).autoOrient().resize(width, height).toColourspace("srgb");
    const expected = await plain.removeAlpha().raw().toBuffer();
    for (const variant of variants) {
      const { exif, icc, xmp, pages = 1 } = await sharp(variant.bytes).metadata();
      if (exif ?? icc ?? xmp) return "it carries metadata";
      if (pages !== 1) return "it moves";
      const seen = sharp(variant.bytes).resize(width, height).toColourspace("srgb").removeAlpha();
      const distance = meanDistance(expected, await seen.raw().toBuffer());
      if (!(distance < 8)) return `its colours are off by ${distance}`;
    }
    return "fine";
  } catch (error) {
    if (error instanceof JobFailed && error.reason !== null) return error.reason;
    throw error;
  }
}

/** Of 255; NaN where the sizes differ. */
function meanDistance(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return Number.NaN;
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}
