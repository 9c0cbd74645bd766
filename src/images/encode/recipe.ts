/**
 * How a thumbnail is made: sizes and settings, with what they were chosen for.
 *
 * Whatever changes the bytes of a thumbnail belongs in here, and `RECIPE` says which version made it: pictures of
 * another recipe are made anew.
 */
import type { PictureType } from "../../contract/picture.ts";

/** Raise with every change of how thumbnails look. */
export const RECIPE = "1";

/** A card's picture, in CSS pixels: it fits into this, and a portrait of four to five fills it. */
export const BOX = { width: 192, height: 240 } as const;

/** Pixels for a CSS pixel of the larger variant. */
export const DENSITY = 2;

/** Below this an extra variant is not worth its bytes. */
export const LEAST_DENSITY = 1.25;

/** Beyond 2:1 or 1:2 the ends are cut: a strip of 2,400 × 160 would be a line. */
export const MOST_ASPECT = 2;

/** Pixels of the shorter side; less is a counter or a spacer. */
export const LEAST_SIDE = 16;

/** 25 megapixels: 75 MB of memory, and more than any telephone's ordinary picture. */
export const MAX_PIXELS = 25_000_000;

export interface Encoding {
  readonly type: PictureType;
  /** By density: the large variant is seen at half the size, so it may be coarser. */
  readonly quality: { readonly plain: number; readonly dense: number };
  /** AVIF above 2 and WebP above 4 take 8 to 12 times as long for 4 to 6 % of the bytes (50 pictures). */
  readonly effort: number;
}

/** Best first. */
export const ENCODINGS: readonly Encoding[] = [
  { type: "image/avif", quality: { plain: 62, dense: 55 }, effort: 2 },
  { type: "image/webp", quality: { plain: 80, dense: 74 }, effort: 4 },
];
