/**
 * Decodes one picture and encodes its thumbnails. Runs in a child process: what it is given may be made to kill it.
 *
 * What a picture is, its decoder says; every decoder but those of the five formats is switched off.
 */
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import { PictureFailed } from "./failures.ts";
import { ENCODINGS, fitThumbnail, LEAST_SIDE, MAX_PIXELS, type Size } from "./recipe.ts";

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

export type EncodedPicture = Awaited<ReturnType<typeof encodePicture>>;

/**
 * @param bytes the file as it came
 * @returns the size of the plain variant, its mean colour, and the variants: best format first, plain before dense
 * @throws {PictureFailed} when it is no picture, is damaged, or is out of bounds
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

/** Pixels upright, in sRGB with 8 bits, first frame alone; colour profile, EXIF and the rest stay behind. */
async function decode(bytes: Uint8Array, size: Size): Promise<Flat> {
  const picture = sharp(bytes, SAFE)
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize({ ...size, fit: "cover" })
    .toColourspace("srgb");
  return flatten(picture).catch((error: unknown) => {
    const complaint = firstLine(error);
    const reason = complaint.startsWith("timeout") ? "decoder-failed" : "damaged";
    throw new PictureFailed(reason, complaint);
  });
}

/** Pixels in rows, 8 bits a channel. */
type Flat = Awaited<ReturnType<typeof flatten>>;

function flatten(picture: Sharp) {
  return picture.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
}

function open({ data, info }: Flat): Sharp {
  return sharp(data, { raw: info });
}

/** @returns `#rrggbb`; null when a pixel is see-through, since the colour would shine through it for good */
async function meanColour(picture: Flat): Promise<string | null> {
  const { channels, isOpaque } = await open(picture).stats();
  if (!isOpaque) return null;
  // One channel and two are grey; two and four end in alpha.
  const [red, green = red, blue = red] = channels.slice(0, picture.info.channels < 3 ? 1 : 3);
  const mean = [red, green, blue].map((one) => Math.round(one?.mean ?? 0));
  return `#${Buffer.from(mean).toString("hex")}`;
}

/** Media formats that are accepted; of HEIF, AVIF alone. */
const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "heif"]);

/** Looks at what a picture claims to be before its pixels are decoded. @returns its size when upright */
async function probe(bytes: Uint8Array): Promise<Size> {
  let found: Metadata;
  try {
    // The size is judged here and not by the decoder, so that the reason can name it.
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

/** What a decoder complains of, on one line; it never quotes the picture. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n", 1)[0] ?? "").slice(0, 120);
}
