/**
 * Looks at what a picture claims to be before its pixels are decoded, with the limits every decoder call gets.
 *
 * `failOn`: of the 50 pictures of the test data, `none` lets the truncated one through with half its face grey, and
 * `truncated`, `error` and `warning` refuse it and nothing else; so the strictest costs no picture.
 */
import sharp, { type Metadata, type SharpOptions } from "sharp";
import { PictureFailed } from "../failures.ts";
import type { Size } from "./fit.ts";
import { LEAST_SIDE, MAX_PIXELS } from "./recipe.ts";

export const SAFE: SharpOptions = {
  failOn: "warning",
  limitInputPixels: MAX_PIXELS,
  pages: 1,
  sequentialRead: true,
};

/**
 * Bytes of memory a pixel takes while it is decoded, by format (measured, rounded up). AVIF is decoded as a whole and in
 * several copies; JPEG is read at a fraction of its size, unless its scans are spread over the file.
 */
const BYTES_PER_PIXEL: Readonly<Record<string, number>> = {
  jpeg: 4,
  png: 8,
  webp: 8,
  gif: 8,
  heif: 16,
};

/** The only decoders that stay. SVG, TIFF, PDF and the rest could read files and have been attacked before. */
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Heif"];

/** Switches off, for this process, every decoder that no picture needs. */
export function blockOtherDecoders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
  sharp.concurrency(1);
  sharp.cache(false);
}

export interface Probed {
  /** When upright. */
  readonly size: Size;
  /** Memory that decoding will take, in bytes. */
  readonly memory: number;
}

/** @throws {PictureFailed} */
export async function probe(bytes: Uint8Array): Promise<Probed> {
  const { format, compression, width, height, autoOrient } = await metadata(bytes);
  const bytesPerPixel = BYTES_PER_PIXEL[format];
  if (bytesPerPixel === undefined || (format === "heif" && compression !== "av1")) {
    throw new PictureFailed("not-a-picture", `it is ${format}, which is not accepted`);
  }
  if (width * height > MAX_PIXELS) {
    throw new PictureFailed("too-many-pixels", `it has ${width} × ${height} pixels`);
  }
  if (Math.min(width, height) < LEAST_SIDE) {
    throw new PictureFailed("too-small", `it has ${width} × ${height} pixels`);
  }
  const size = { width: autoOrient.width, height: autoOrient.height };
  return { size, memory: width * height * bytesPerPixel };
}

/** The size is judged here and not by the decoder, so that the reason can name it. */
async function metadata(bytes: Uint8Array): Promise<Metadata> {
  try {
    return await sharp(bytes, { ...SAFE, limitInputPixels: false }).metadata();
  } catch (error) {
    throw new PictureFailed("not-a-picture", firstLine(error));
  }
}

/** What a decoder complains of, on one line; it never quotes the picture. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n", 1)[0] ?? "").slice(0, 120);
}
