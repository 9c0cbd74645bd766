/**
 * Draws masks on a background as an indexed PNG, whose palette has 16 shades of each of three inks. It has a third of the size
 * of true colour, and takes a third of the time to compress.
 */
import { crc32, deflateSync } from "node:zlib";

/** Pixels. */
export interface Space {
  readonly width: number;
  readonly height: number;
}

/** The opacity of the ink, one byte a pixel, 0 for none. */
export interface Mask extends Space {
  readonly ink: Uint8Array;
}

/** A mask, its ink and its place, which may lie partly outside of the image. */
export interface Print {
  readonly mask: Mask;
  readonly ink: string;
  readonly left: number;
  readonly top: number;
}

const SHADES = 16;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INDEXED_8_BIT = Buffer.from([8, 3, 0, 0, 0]);

/**
 * @param paper the background, `#rrggbb` like the inks
 * @see PNG specification, third edition, sections 9 and 11
 */
export function pngOf(
  { width, height }: Space,
  paper: string,
  inks: readonly string[],
  prints: readonly Print[],
): Buffer {
  // PNG has a byte for the filter before each row; 0 is none.
  const rows = Buffer.alloc((width + 1) * height);
  for (const { mask, ink, left, top } of prints) {
    const base = 1 + inks.indexOf(ink) * SHADES;
    const [firstX, lastX] = [Math.max(0, -left), Math.min(mask.width, width - left)];
    const [firstY, lastY] = [Math.max(0, -top), Math.min(mask.height, height - top)];
    for (let y = firstY; y < lastY; y++) {
      const row = (top + y) * (width + 1) + 1 + left;
      for (let x = firstX; x < lastX; x++) {
        const shade = Math.round(((mask.ink[y * mask.width + x] ?? 0) * SHADES) / 255);
        if (shade > 0) rows[row + x] = base + shade - 1;
      }
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", Buffer.concat([uint32(width), uint32(height), INDEXED_8_BIT])),
    chunk("PLTE", paletteOf(paper, inks)),
    chunk("IDAT", deflateSync(rows, { level: 4, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Three bytes a colour: the background, then each ink from the lightest shade to the full colour. */
function paletteOf(paper: string, inks: readonly string[]): Buffer {
  const bytesOf = (hex: string): number[] => [...Buffer.from(hex.slice(1), "hex")];
  const from = bytesOf(paper);
  const shares = Array.from({ length: SHADES }, (_, index) => (index + 1) / SHADES);
  const colours = inks
    .map(bytesOf)
    .flatMap((ink) =>
      shares.flatMap((share) =>
        from.map((one, at) => Math.round(one + ((ink[at] ?? 0) - one) * share)),
      ),
    );
  return Buffer.from([...from, ...colours]);
}

export function block(width: number, height: number): Mask {
  return { width, height, ink: new Uint8Array(width * height).fill(255) };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
