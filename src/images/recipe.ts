/** How a thumbnail is made: sizes and settings, with what they were chosen for. */

/** Raise with every change of the bytes of a thumbnail: pictures of another recipe are made anew. */
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

/**
 * Best first. The large variant is seen at half the size, so it may be coarser. AVIF above an effort of 2 and WebP above 4 take
 * 8 to 12 times as long for 4 to 6 % of the bytes (50 pictures).
 */
export const ENCODINGS = [
  { type: "image/avif", quality: { plain: 62, dense: 55 }, effort: 2 },
  { type: "image/webp", quality: { plain: 80, dense: 74 }, effort: 4 },
] as const;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * How large a thumbnail is; `dense` is null when the original has too few pixels for it.
 *
 * @param original pixels, after its orientation is applied; nothing is enlarged
 */
export function fitThumbnail(original: Size) {
  const width = Math.min(original.width, original.height * MOST_ASPECT);
  const height = Math.min(original.height, original.width * MOST_ASPECT);
  const scale = Math.min(BOX.width / width, BOX.height / height, 1);
  const plain = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const density = Math.min(DENSITY, width / plain.width, height / plain.height);
  if (density < LEAST_DENSITY) return { plain, dense: null };
  const dense = {
    width: Math.round(plain.width * density),
    height: Math.round(plain.height * density),
    density: Math.round(density * 100) / 100,
  };
  return { plain, dense };
}
