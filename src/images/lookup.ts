/**
 * The pages' side: from an address to what to draw, out of the cache's index. No network, no decoder.
 */
import {
  type OgImage,
  OG_SIZES,
  type OgShape,
  type Picture,
  type PicturePolicy,
} from "../contract/picture.ts";
import { OgIndex, ogIndexPath } from "./og/index-file.ts";
import { indexPath, PictureIndex, type StoredPicture } from "./picture-index.ts";
import { BOX } from "./recipe.ts";

export interface PictureLookup {
  /** @param address `Quote.image`; null, and under the policies `skip` and `fail` a picture that failed, gives null */
  picture(address: string | null): Picture | null;
  /** Changes when any answer may have. */
  readonly key: string;
  /** Of the last run: pictures that are shown, and failures by reason. */
  lastRun(): PictureCounts;
  close(): void;
}

export interface PictureCounts {
  readonly shown: number;
  readonly reasons: Readonly<Record<string, number>>;
}

export interface PictureLookupOptions {
  readonly cacheDir: string;
  readonly policy: PicturePolicy;
  /** Address of the folder with the files, such as `/quotes/_pictures/`. */
  readonly prefix: string;
}

/** Without a cache, or with a damaged one, every picture has failed. */
export function openPictures(options: PictureLookupOptions): PictureLookup {
  const index = PictureIndex.read(indexPath(options.cacheDir));
  return {
    picture(address) {
      if (address === null) return null;
      const id = index?.address(address)?.picture ?? null;
      const stored = id === null ? null : (index?.picture(id) ?? null);
      if (stored !== null) return asPicture(stored, options.prefix);
      return options.policy === "fallback" ? STAND_IN : null;
    },
    key: JSON.stringify([index?.version() ?? "", options.policy, options.prefix]),
    lastRun: () => index?.ofLastRun() ?? { shown: 0, reasons: {} },
    close: () => index?.[Symbol.dispose](),
  };
}

/** As wide as most thumbnails, and square: it says nothing, so it takes less room. */
const STAND_IN: Picture = { kind: "stand-in", width: BOX.width, height: BOX.width };

function asPicture({ width, height, colour, files }: StoredPicture, prefix: string): Picture {
  const byType = Map.groupBy(files, ({ type }) => type);
  const sources = Array.from(byType, ([type, variants]) => ({
    type,
    variants: variants.map(({ name, density, width, height }) => {
      return { src: prefix + name, density, width, height };
    }),
  }));
  return { kind: "thumbnail", width, height, colour, sources };
}

export interface OgLookup {
  /** A page's image; for `wide`, the site's own where the page has none. */
  image(key: string, shape: OgShape): OgImage | null;
}

/** @param options `prefix` as for pictures, such as `/quotes/_cards/` */
export function openOgImages(options: Omit<PictureLookupOptions, "policy">): OgLookup {
  // Every page asks, and few have one: a question of SQLite for each took a tenth of a build.
  const names = namesIn(ogIndexPath(options.cacheDir));
  return {
    image(key, shape) {
      const own = names.get(`${shape} ${key}`);
      const name = own ?? (shape === "wide" ? names.get(`${shape} `) : undefined);
      return name === undefined ? null : { src: options.prefix + name, ...OG_SIZES[shape] };
    },
  };
}

function namesIn(path: string): Map<string, string> {
  using index = OgIndex.read(path);
  const rows = index?.all() ?? [];
  return new Map(Array.from(rows, ({ key, shape, name }) => [`${shape} ${key}`, name]));
}
