/**
 * Decodes one picture and encodes its thumbnails. Runs in a child process: what it is given may be made to kill it.
 *
 * What a picture is, its decoder says; every decoder but those of the five formats is switched off.
 */
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import type { PictureType } from "../contract/picture.ts";
import { PictureFailed } from "./failures.ts";
import {
  ENCODINGS,
  type Encoding,
  fitThumbnail,
  LEAST_SIDE,
  MAX_PIXELS,
  type Size,
} from "./recipe.ts";

export interface EncodedVariant extends Size {
  readonly type: PictureType;
  readonly density: number;
  readonly bytes: Uint8Array;
}

export interface EncodedPicture extends Size {
  readonly colour: string | null;
  readonly variants: readonly EncodedVariant[];
}

/** Pixels in rows, 8 bits a channel. */
interface Flat {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 1 and 2 are grey, 2 and 4 end in alpha. */
  readonly channels: 1 | 2 | 3 | 4;
}

/**
 * The limits that every decoder call gets. `failOn`: of the 50 pictures of the test data, `none` lets the truncated one
 * through with half its face grey, and `truncated`, `error` and `warning` refuse it and nothing else; so the strictest
 * costs no picture.
 */
const SAFE: SharpOptions = {
  failOn: "warning",
  limitInputPixels: MAX_PIXELS,
  pages: 1,
  sequentialRead: true,
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

/** Less than a job may take before its process is killed. */
const DECODE_SECONDS = 8;

/**
 * @param bytes the file as it came
 * @throws {PictureFailed} when it is no picture, is damaged, or is out of bounds
 */
export async function encodePicture(bytes: Uint8Array): Promise<EncodedPicture> {
  const fit = fitThumbnail(await probe(bytes));
  const large = await decode(bytes, fit.dense ?? fit.plain);
  const plain =
    fit.dense === null ? large : await flatten(open(large).resize({ ...fit.plain, fit: "fill" }));
  const variants: EncodedVariant[] = [];
  for (const encoding of ENCODINGS) {
    variants.push(await encode(plain, encoding, 1));
    if (fit.dense !== null) variants.push(await encode(large, encoding, fit.dense.density));
  }
  return { ...fit.plain, colour: await meanColour(plain), variants };
}

/** Pixels upright, in sRGB with 8 bits, first frame alone; colour profile, EXIF and the rest stay behind. */
async function decode(bytes: Uint8Array, size: Size): Promise<Flat> {
  const picture = sharp(bytes, SAFE)
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize({ ...size, fit: "cover" })
    .toColourspace("srgb");
  try {
    return await flatten(picture);
  } catch (error) {
    const complaint = firstLine(error);
    const reason = complaint.startsWith("timeout") ? "decoder-failed" : "damaged";
    throw new PictureFailed(reason, complaint);
  }
}

async function flatten(picture: Sharp): Promise<Flat> {
  const { data, info } = await picture
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

async function encode(picture: Flat, encoding: Encoding, density: number): Promise<EncodedVariant> {
  const { type, effort } = encoding;
  const quality = density === 1 ? encoding.quality.plain : encoding.quality.dense;
  const pixels = open(picture);
  const encoded =
    type === "image/avif" ? pixels.avif({ quality, effort }) : pixels.webp({ quality, effort });
  const bytes = await encoded.toBuffer();
  return { type, density, width: picture.width, height: picture.height, bytes };
}

function open({ data, width, height, channels }: Flat): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** @returns `#rrggbb`; null when a pixel is see-through, since the colour would shine through it for good */
async function meanColour(picture: Flat): Promise<string | null> {
  const { channels, isOpaque } = await open(picture).stats();
  if (!isOpaque) return null;
  const [red, green = red, blue = red] = picture.channels < 3 ? channels.slice(0, 1) : channels;
  const mean = [red, green, blue].map((one) => Math.round(one?.mean ?? 0));
  return `#${Buffer.from(mean).toString("hex")}`;
}

/** Media formats that are accepted; of HEIF, AVIF alone. */
const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "heif"]);

/** Looks at what a picture claims to be before its pixels are decoded. @returns its size when upright */
async function probe(bytes: Uint8Array): Promise<Size> {
  const { format, compression, width, height, autoOrient } = await metadata(bytes);
  if (!FORMATS.has(format) || (format === "heif" && compression !== "av1")) {
    throw new PictureFailed("not-a-picture", `it is ${format}, which is not accepted`);
  }
  if (width * height > MAX_PIXELS) {
    throw new PictureFailed("too-many-pixels", `it has ${width} × ${height} pixels`);
  }
  if (Math.min(width, height) < LEAST_SIDE) {
    throw new PictureFailed("too-small", `it has ${width} × ${height} pixels`);
  }
  return { width: autoOrient.width, height: autoOrient.height };
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
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n", 1)[0] ?? "").slice(0, 120);
}
