/** Open Graph images for tests: requests, a theme of four colours that cannot be confused, and what is seen on the finished image. */
import sharp from "sharp";
import { languageOf } from "../../../src/contract/languages.ts";
import type { OgRequest, OgShape, OgTheme } from "../../../src/contract/picture.ts";
import { makeOgImages, type OgOptions } from "../../../src/images/og/make-images.ts";
import { openOgImages } from "../../../src/images/lookup.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../support/run/index.ts";

const [paper, ink, muted, accent] = ["#ffffff", "#000000", "#0000ff", "#ff0000"] as const;
export const THEME: OgTheme = { paper, ink, muted, accent };

export function quoteImage(text: string, code = "en", more: Partial<OgRequest> = {}): OgRequest {
  const quote = { key: `quote/${code}/`, style: "quote", text, byline: null } as const;
  return { ...quote, language: languageOf(code), shapes: ["wide"], ...more };
}

export function studio(more: Partial<OgOptions> = {}) {
  const folder = tempFolder("pictures");
  const options: OgOptions = {
    cacheDir: join(folder, "cards"),
    outDir: join(folder, "dist", "_cards"),
    site: "Commonplace",
    attribution: "Quotes by a service",
    theme: THEME,
    // A process takes longer to start than a few images take.
    lanes: 1,
    ...more,
  };
  return {
    options,
    run: (requests: readonly OgRequest[], changes: Partial<OgOptions> = {}) =>
      makeOgImages(requests, { ...options, ...changes }),
    read: (key: string, shape: OgShape = "wide"): Buffer | null => {
      const images = openOgImages({ cacheDir: options.cacheDir, prefix: "" });
      const image = images(key, shape);
      return image === null ? null : readFileSync(join(options.outDir, image.src));
    },
  };
}

/** A run of rows with ink in it: a line, where lines do not touch. */
interface InkLine {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

type Layer = "ink" | "muted" | "accent";

/** Where an image has marks of one of the three colours of `THEME`. */
export async function linesOf(png: Uint8Array, layer: Layer): Promise<InkLine[]> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const lines: InkLine[] = [];
  for (let y = 0; y < info.height; y++) {
    let [left, right] = [Infinity, -1];
    for (let x = 0; x < info.width; x++) {
      if (!isOf(layer, data, (y * info.width + x) * 3)) continue;
      left = Math.min(left, x);
      right = x;
    }
    if (right < 0) continue;
    const last = lines.at(-1);
    if (last !== undefined && last.bottom === y - 1) {
      const wider = { left: Math.min(last.left, left), right: Math.max(last.right, right) };
      lines[lines.length - 1] = { ...last, ...wider, bottom: y };
    } else lines.push({ top: y, bottom: y, left, right });
  }
  return lines;
}

/** Half-tones at the edges of letters are left out. */
function isOf(layer: Layer, data: Buffer, at: number): boolean {
  if ((data[at + 1] ?? 0) > 127) return false;
  const [red, blue] = [(data[at] ?? 0) > 127, (data[at + 2] ?? 0) > 127];
  return layer === (red ? "accent" : blue ? "muted" : "ink");
}
