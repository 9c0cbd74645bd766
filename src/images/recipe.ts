/** Sizes and encoder settings of thumbnails. */

/** Raise with every change of a thumbnail's bytes: pictures of another recipe are encoded again. */
export const RECIPE = "1";

/** Maximum size on a card, in CSS pixels. */
export const BOX = { width: 192, height: 240 } as const;

/** Pixels per CSS pixel of the larger variant. */
const DENSITY = 2;

/** Below this density there is no larger variant. */
const LEAST_DENSITY = 1.25;

/** A longer picture is cropped to 2:1 or 1:2. */
const MOST_ASPECT = 2;

/** Pixels of the shorter side; a smaller picture is a tracking pixel or a spacer. */
export const LEAST_SIDE = 16;

/** 75 MB of memory, and more than an ordinary photo of a phone. */
export const MAX_PIXELS = 25_000_000;

/**
 * Best first. The dense variant has a lower quality, since it is shown at half its size. A higher effort takes 8 to 12 times as
 * long and saves 4 to 6 % of the bytes (50 pictures).
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
 * The size of a thumbnail; `dense` is null when the original has too few pixels. Nothing is enlarged.
 *
 * @param original pixels of the upright picture
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
