/**
 * Decodes one picture and encodes its thumbnails. Runs in a child process: what it is given may be made to kill it.
 *
 * What a picture is, its decoder says; every decoder but those of the five formats is switched off.
 */
import sharp, { type Sharp } from "sharp";
import type { PictureType } from "../../contract/picture.ts";
import { Budget } from "./budget.ts";
import { fitThumbnail, type Size } from "./fit.ts";
import { type Flat, meanColour } from "./mean-colour.ts";
import { ENCODINGS, type Encoding } from "./recipe.ts";
import { PictureFailed } from "../failures.ts";
import { firstLine, probe, SAFE } from "./probe.ts";

export interface EncodedVariant extends Size {
  readonly type: PictureType;
  readonly density: number;
  readonly bytes: Uint8Array;
}

export interface EncodedPicture extends Size {
  readonly colour: string | null;
  readonly variants: readonly EncodedVariant[];
}

/** 265 MB: an AVIF of 16 megapixels takes nearly all of it, and a larger one is decoded alone. */
const budget = new Budget(265_000_000);

/** Less than a job may take before its process is killed. */
const DECODE_SECONDS = 8;

/**
 * @param bytes the file as it came
 * @throws {PictureFailed} when it is no picture, is damaged, or is out of bounds
 */
export async function encodePicture(bytes: Uint8Array): Promise<EncodedPicture> {
  const { size, memory } = await probe(bytes);
  const fit = fitThumbnail(size);
  const large = await budget.within(memory, () => decode(bytes, fit.dense ?? fit.plain));
  const plain = fit.dense === null ? large : await shrink(large, fit.plain);
  const variants: EncodedVariant[] = [];
  for (const encoding of ENCODINGS) {
    variants.push(await encode(plain, encoding, 1));
    if (fit.dense !== null) variants.push(await encode(large, encoding, fit.dense.density));
  }
  return { ...fit.plain, colour: meanColour(plain), variants };
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

function shrink(picture: Flat, size: Size): Promise<Flat> {
  return flatten(open(picture).resize({ ...size, fit: "fill" }));
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
