/** Draws the icons of a site from its mark, for bookmarks, home screens and installed apps. */
import sharp, { type Sharp } from "sharp";
import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../contract/errors.ts";

/** Side in pixels, and the share of it that the mark fills. A mask may hide all but the inner 80 %. */
const ICONS = {
  "apple-touch-icon": { side: 180, share: 0.72 },
  "icon-192": { side: 192, share: 0.8 },
  "icon-512": { side: 512, share: 0.8 },
  "icon-maskable": { side: 512, share: 0.55 },
} as const;

type IconName = keyof typeof ICONS;

/** Side of `favicon.ico`, in pixels. */
const SMALL = 32;

/** Dots per inch at which a mark of one pixel is 533 pixels wide. Each mark is drawn this wide and then scaled down. */
const DENSITY_OF_ONE = 38_400;

/**
 * @param mark an SVG file
 * @param paper the background, `#rrggbb`
 * @returns PNG files by name, and `favicon.ico`
 */
export async function makeIcons(mark: Uint8Array, paper: string) {
  const { width, height } = await sharp(mark, { limitInputPixels: false }).metadata();
  const density = Math.max(1, Math.round(DENSITY_OF_ONE / Math.max(width, height)));
  const drawn = (side: number): Sharp =>
    sharp(mark, { density }).resize(side, side, { fit: "contain", background: "#0000" });
  const png = await Promise.all(
    Object.entries(ICONS).map(async ([name, { side, share }]) => {
      const inner = Math.round(side * share);
      const before = Math.floor((side - inner) / 2);
      const after = side - inner - before;
      const picture = await drawn(inner)
        .extend({ top: before, left: before, bottom: after, right: after, background: paper })
        .flatten({ background: paper })
        .png({ compressionLevel: 9 })
        .toBuffer();
      return [name, picture];
    }),
  );
  const ico = iconFile(await drawn(SMALL).png({ compressionLevel: 9 }).toBuffer());
  return { png: Object.fromEntries(png) as Record<IconName, Buffer>, ico };
}

function iconFile(png: Buffer): Buffer {
  const header = Buffer.from([0, 0, 1, 0, 1, 0, SMALL, SMALL, 0, 0, 1, 0, 32, 0]);
  const place = Buffer.alloc(8);
  place.writeUInt32LE(png.length);
  place.writeUInt32LE(header.length + place.length, 4);
  return Buffer.concat([header, place, png]);
}

const ID = "virtual:commonplace/install";

/**
 * A Vite plugin that gives pages the icons and the page colours, so that sharp is no part of a bundle.
 *
 * @param options path of the site's mark, an SVG file, and the colours of `themePapers()`
 */
export function installPlugin(options: {
  readonly mark: string;
  readonly papers: { readonly light: string; readonly dark: string; readonly icon: string };
}) {
  const { mark, papers } = options;
  return {
    name: "commonplace:install",
    resolveId: (source: string) => (source === ID ? `\0${ID}` : null),
    async load(id: string) {
      if (id !== `\0${ID}`) return null;
      const { png, ico } = await makeIcons(await readFile(mark), papers.icon).catch(
        (cause: unknown) => {
          const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
          throw new ConfigurationError(
            `Cannot draw icons from ${mark}: ${reason}; it must be an SVG file with a width and height, or a viewBox`,
            { cause },
          );
        },
      );
      const coded = Object.entries(png).map(([name, bytes]) => [name, bytes.toString("base64")]);
      return [
        `export const png = ${JSON.stringify(Object.fromEntries(coded))};`,
        `export const ico = ${JSON.stringify(ico.toString("base64"))};`,
        `export const papers = ${JSON.stringify(papers)};`,
      ].join("\n");
    },
  };
}
