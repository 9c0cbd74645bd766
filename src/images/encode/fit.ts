/** How large a thumbnail is: arithmetic alone. */
import { BOX, DENSITY, LEAST_DENSITY, MOST_ASPECT } from "./recipe.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Fit {
  readonly plain: Size;
  /** Null when the original has too few pixels for it. */
  readonly dense: (Size & { readonly density: number }) | null;
}

/** @param original pixels, after its orientation is applied; nothing is enlarged */
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
