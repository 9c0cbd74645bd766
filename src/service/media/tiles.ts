/**
 * The few pictures that the embedded service has of its own, made when first asked for and kept.
 *
 * They come in the three common formats, so that whoever fetches pictures meets each of them.
 */
import { paint } from "./paint.ts";

/** How many there are. */
export const TILES = 12;

const WIDTH = 480;
const HEIGHT = 320;

const FORMATS = ["jpeg", "webp", "png"] as const;
type Format = (typeof FORMATS)[number];

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  jpeg: "image/jpeg",
  webp: "image/webp",
  png: "image/png",
};

export interface Tile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The path that a tile is served at. @param index from 0 */
export function tilePath(index: number): string {
  return `/media/${tileName(index)}`;
}

/** Tiles by the last part of their path. */
const tiles = new Map(
  Array.from({ length: TILES }, (_, index) => [tileName(index), index] as const),
);

const made = new Map<number, Promise<Tile>>();

/** Null when no tile has this name. */
export async function tileNamed(name: string): Promise<Tile | null> {
  const index = tiles.get(name);
  if (index === undefined) return null;
  let tile = made.get(index);
  if (tile === undefined) made.set(index, (tile = make(index)));
  return tile;
}

function tileName(index: number): string {
  return `tile-${index + 1}.${formatOf(index)}`;
}

function formatOf(index: number): Format {
  return FORMATS[index % FORMATS.length] ?? "jpeg";
}

async function make(index: number): Promise<Tile> {
  // Loaded late: most processes that hold the collection never serve a picture.
  const { default: sharp } = await import("sharp");
  const { width, height, pixels } = paint(index, WIDTH, HEIGHT);
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  const format = formatOf(index);
  const encoded =
    format === "png"
      ? image.png({ palette: true, colours: 64, dither: 1 })
      : image.toFormat(format, { quality: 80 });
  return { type: MEDIA_TYPES[format], bytes: new Uint8Array(await encoded.toBuffer()) };
}
