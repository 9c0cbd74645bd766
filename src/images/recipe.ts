/**
 * How a thumbnail is made: sizes and settings, with what they were chosen for.
 *
 * A change of the bytes of a thumbnail needs another `RECIPE`: pictures of another recipe are made anew.
 */
import type { PictureType } from "../contract/picture.ts";

/** Raise with every change of how thumbnails look. */
export const RECIPE = "1";

/** A card's picture, in CSS pixels: it fits into this, and a portrait of four to five fills it. */
export const BOX = { width: 192, height: 240 } as const;

/** Pixels for a CSS pixel of the larger variant. */
const DENSITY = 2;

/** Below this an extra variant is not worth its bytes. */
const LEAST_DENSITY = 1.25;

/** Beyond 2:1 or 1:2 the ends are cut: a strip of 2,400 × 160 would be a line. */
const MOST_ASPECT = 2;

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

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Fit {
  readonly plain: Size;
  /** Null when the original has too few pixels for it. */
  readonly dense: (Size & { readonly density: number }) | null;
}

/** How large a thumbnail is. @param original pixels, after its orientation is applied; nothing is enlarged */
export function fitThumbnail(original: Size): Fit {
  const width = Math.min(original.width, original.height * MOST_ASPECT);
  const height = Math.min(original.height, original.width * MOST_ASPECT);
  const scale = Math.min(BOX.width / width, BOX.height / height, 1);
  const plain = { width: atLeastOne(width * scale), height: atLeastOne(height * scale) };
  const density = Math.min(DENSITY, width / plain.width, height / plain.height);
  if (density < LEAST_DENSITY) return { plain, dense: null };
  const dense = {
    width: Math.round(plain.width * density),
    height: Math.round(plain.height * density),
    density: Math.round(density * 100) / 100,
  };
  return { plain, dense };
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.round(pixels));
}
