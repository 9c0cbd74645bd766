/** Each picture there is: ours, and the 50 of the real data where `REAL_QUOTES` names its folder. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EncodedPicture } from "../../../src/images/encode.ts";
import { JobFailed, openPool, type Pool } from "../../../src/images/pool.ts";
import { realFile } from "../../support/snapshot/index.ts";
import { type MadePicture, madePictures } from "../support/made-pictures.ts";

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
  const entry = new URL("../../../src/images/encode-child.ts", import.meta.url);
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
