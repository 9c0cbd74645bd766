/**
 * Decodes one picture and encodes its thumbnails. Runs in a child process, since a hostile file may crash the decoder.
 *
 * The decoder determines the format, not the file name or header. All decoders but those of five formats are disabled.
 */
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import { PictureFailed } from "./failures.ts";
import { ENCODINGS, fitThumbnail, LEAST_SIDE, MAX_PIXELS, type Size } from "./recipe.ts";

/** Options of every decoder call. The strictest `failOn` refuses one of 50 real pictures, which is truncated, and no other. */
const SAFE: SharpOptions = {
  failOn: "warning",
  limitInputPixels: MAX_PIXELS,
  pages: 1,
  sequentialRead: true,
};

/** The enabled decoders. Others, such as SVG, TIFF and PDF, can read files and have a history of vulnerabilities. */
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Heif"];

export function blockOtherDecoders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
  sharp.concurrency(1);
  sharp.cache(false);
}

/** Less than the timeout of the job, so that the process survives. */
const DECODE_SECONDS = 8;

export type EncodedPicture = Awaited<ReturnType<typeof encodePicture>>;

/**
 * @param bytes of the original file
 * @returns size and mean colour of the plain variant, and the variants: best format first, plain before dense
 * @throws {PictureFailed} when the file is not a picture, is damaged, or exceeds a limit
 */
export async function encodePicture(bytes: Uint8Array) {
  const { plain: size, dense } = fitThumbnail(await probe(bytes));
  const large = await decode(bytes, dense ?? size);
  const plain =
    dense === null ? large : await flatten(open(large).resize({ ...size, fit: "fill" }));
  const sizes = [{ pixels: plain, density: 1, grade: "plain" as "plain" | "dense" }];
  if (dense !== null) sizes.push({ pixels: large, density: dense.density, grade: "dense" });
  const variants = [];
  for (const { type, quality, effort } of ENCODINGS) {
    for (const { pixels, density, grade } of sizes) {
      const format = type === "image/avif" ? "avif" : "webp";
      const encoded = open(pixels).toFormat(format, { quality: quality[grade], effort });
      const { width, height } = pixels.info;
      variants.push({ type, density, width, height, bytes: await encoded.toBuffer() });
    }
  }
  return { ...size, colour: await meanColour(plain), variants };
}

/** The first frame, upright, in sRGB with 8 bits, without metadata. */
async function decode(bytes: Uint8Array, size: Size): Promise<Flat> {
  const picture = sharp(bytes, SAFE)
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize({ ...size, fit: "cover" })
    .toColourspace("srgb");
  return flatten(picture).catch((error: unknown) => {
    const message = firstLine(error);
    throw new PictureFailed(message.startsWith("timeout") ? "decoder-failed" : "damaged", message);
  });
}

/** Raw pixels, 8 bits a channel. */
type Flat = Awaited<ReturnType<typeof flatten>>;

function flatten(picture: Sharp) {
  return picture.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
}

function open({ data, info }: Flat): Sharp {
  return sharp(data, { raw: info });
}

/** @returns `#rrggbb`; null for a picture with transparent pixels, which would show the colour for ever */
async function meanColour(picture: Flat): Promise<string | null> {
  const { channels, isOpaque } = await open(picture).stats();
  if (!isOpaque) return null;
  // One or two channels are grey; of two or four the last is alpha.
  const [red, green = red, blue = red] = channels.slice(0, picture.info.channels < 3 ? 1 : 3);
  const mean = [red, green, blue].map((one) => Math.round(one?.mean ?? 0));
  return `#${Buffer.from(mean).toString("hex")}`;
}

/** Accepted formats; of HEIF, only AVIF. */
const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "heif"]);

/** Checks format and size before any pixel is decoded. @returns the size of the upright picture */
async function probe(bytes: Uint8Array): Promise<Size> {
  let found: Metadata;
  try {
    // No limit here, so that the error can name the size.
    found = await sharp(bytes, { ...SAFE, limitInputPixels: false }).metadata();
  } catch (error) {
    throw new PictureFailed("not-a-picture", firstLine(error));
  }
  const { format, compression, width, height, autoOrient } = found;
  if (!FORMATS.has(format) || (format === "heif" && compression !== "av1")) {
    throw new PictureFailed("not-a-picture", `it is ${format}, which is not accepted`);
  }
  const claim = `it has ${width} × ${height} pixels`;
  if (width * height > MAX_PIXELS) throw new PictureFailed("too-many-pixels", claim);
  if (Math.min(width, height) < LEAST_SIDE) throw new PictureFailed("too-small", claim);
  return autoOrient;
}

/** The message of a decoder, on one line; it never contains text of the picture. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n", 1)[0] ?? "").slice(0, 120);
}
