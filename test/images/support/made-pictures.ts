/** Pictures of our own making: one of each kind that is met, and of each that only looks like one. */
import { deflateSync, crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** Four quarters: red, green, blue, white, from the top left to the bottom right. */
export function quarters(width = 400, height = 500): Sharp {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = QUARTERS[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? [];
      data.set(colour, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

const QUARTERS = [
  [220, 30, 30],
  [30, 160, 30],
  [30, 30, 220],
  [250, 250, 250],
];

/** Turned by EXIF: what is stored is `quarters(width, height)`. */
export function turned(orientation: number, width = 400, height = 500): Promise<Buffer> {
  return quarters(width, height).withMetadata({ orientation }).jpeg().toBuffer();
}

/** A PNG of nothing but zeros, one bit a pixel: 16,000 × 16,000 fit into 31 kB. */
export function emptyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="500"><rect width="400" height="500"/></svg>',
);

export const HTML = Buffer.from("<!doctype html><title>Sign in</title><p>Please sign in.</p>");

export interface MadePicture {
  readonly bytes: Buffer;
  /** Why there is no thumbnail of it; null where there is one. */
  readonly reason: string | null;
}

export async function madePictures(): Promise<Map<string, MadePicture>> {
  const jpeg = await quarters().jpeg().toBuffer();
  const gif = await quarters(160, 200).gif().toBuffer();
  const first = quarters(160, 200).png();
  const second = quarters(160, 200).negate().png();
  const frames = await sharp([await first.toBuffer(), await second.toBuffer()], {
    join: { animated: true },
  })
    .gif({ delay: [100, 100] })
    .toBuffer();
  const good: Readonly<Record<string, Buffer>> = {
    "baseline.jpg": jpeg,
    "progressive.jpg": await quarters().jpeg({ progressive: true }).toBuffer(),
    "cmyk.jpg": await quarters().toColourspace("cmyk").jpeg().toBuffer(),
    "grey.jpg": await quarters().grayscale().jpeg().toBuffer(),
    "wide-gamut.jpg": await quarters().withIccProfile("p3").jpeg().toBuffer(),
    "turned.jpg": await turned(6),
    "with-metadata.jpg": await quarters()
      .withExif({ IFD0: { Copyright: "an author" } })
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>where I live</x:xmpmeta>")
      .jpeg()
      .toBuffer(),
    "16-bit.png": await quarters().toColourspace("rgb16").png().toBuffer(),
    "palette.png": await quarters().png({ palette: true }).toBuffer(),
    "interlaced.png": await quarters().png({ progressive: true }).toBuffer(),
    "named-png.jpg": await quarters().png().toBuffer(),
    "lossless.webp": await quarters().webp({ lossless: true }).toBuffer(),
    "still.gif": gif,
    "moving.gif": frames,
    "moving.webp": await sharp(frames, { animated: true }).webp().toBuffer(),
    "ordinary.avif": await quarters().avif({ effort: 0 }).toBuffer(),
    "10-bit.avif": await quarters().avif({ effort: 0, bitdepth: 10 }).toBuffer(),
    "strip.jpg": await quarters(2_400, 160).jpeg().toBuffer(),
  };
  const bad: Readonly<Record<string, [Buffer, string]>> = {
    "truncated.jpg": [jpeg.subarray(0, jpeg.length / 2), "damaged"],
    "dot.gif": [await quarters(1, 1).gif().toBuffer(), "too-small"],
    "bomb.png": [emptyPng(16_000, 16_000), "too-many-pixels"],
    "large.png": [emptyPng(6_396, 7_801), "too-many-pixels"],
    "page.png": [HTML, "not-a-picture"],
    "drawing.svg": [SVG, "not-a-picture"],
    "scan.tiff": [await quarters().tiff().toBuffer(), "not-a-picture"],
    "empty.jpg": [Buffer.alloc(0), "not-a-picture"],
  };
  const pictures = new Map<string, MadePicture>();
  for (const [name, bytes] of Object.entries(good)) pictures.set(name, { bytes, reason: null });
  for (const [name, [bytes, reason]] of Object.entries(bad)) pictures.set(name, { bytes, reason });
  return pictures;
}
