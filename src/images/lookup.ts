/** Finds thumbnails and Open Graph images for pages in the index of the cache. */
import { OG_SIZES, type OgShape, type Picture, type PicturePolicy } from "../contract/picture.ts";
import { readOgNames, readPicture, readPictureIndex, type StoredPicture } from "./picture-index.ts";
import { BOX } from "./recipe.ts";

interface LookupOptions {
  readonly cacheDir: string;
  /** Address of the folder with the files, with the base path, such as `/quotes/_pictures/`. */
  readonly prefix: string;
}

export type PictureLookup = ReturnType<typeof openPictures>;

/** Without a cache, or with a damaged one, no picture is found. */
export function openPictures(options: LookupOptions & { readonly policy: PicturePolicy }) {
  const { cacheDir, prefix, policy } = options;
  const index = readPictureIndex(cacheDir);
  const lastSeen = "FROM addresses WHERE seen = (SELECT max(seen) FROM addresses)";
  const version = index?.get("SELECT born, changes FROM version") ?? null;
  return {
    /**
     * @param address `Quote.image`
     * @returns null without an address, and for a missing picture under the policies `skip` and `fail`
     */
    picture(address: string | null): Picture | null {
      if (address === null) return null;
      const sql = "SELECT picture FROM addresses WHERE address = ?";
      const row = index?.get<{ readonly picture: string | null }>(sql, address);
      const stored = index && row?.picture ? readPicture(index, row.picture) : null;
      if (stored !== null) return asPicture(stored, prefix);
      return policy === "fallback" ? STAND_IN : null;
    },
    /** Changes whenever a result may change. */
    key: JSON.stringify([version, policy, prefix]),
    /** Of the addresses of the last run: the number with a picture, and the number of failures by reason. */
    lastRun() {
      const sql =
        `SELECT reason, count(*) AS n ${lastSeen} AND reason IS NOT NULL ` +
        `GROUP BY reason ORDER BY min(picture IS NOT NULL), reason`;
      const rows = index?.all<{ readonly reason: string; readonly n: number }>(sql) ?? [];
      return {
        shown: index?.number(`SELECT count(picture) AS n ${lastSeen}`) ?? 0,
        reasons: Object.fromEntries(rows.map(({ reason, n }) => [reason, n])),
      };
    },
    close: () => index?.close(),
  };
}

/** As wide as most thumbnails, but square, since it shows nothing. */
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

export type OgLookup = ReturnType<typeof openOgImages>;

/** @returns a function that finds the image of a page, or for `wide` that of the site where the page has none */
export function openOgImages({ cacheDir, prefix }: LookupOptions) {
  const names = readOgNames(cacheDir);
  return (key: string, shape: OgShape) => {
    const own = names.get(`${shape} ${key}`);
    const name = own ?? (shape === "wide" ? names.get("wide ") : undefined);
    return name === undefined ? null : { src: prefix + name, ...OG_SIZES[shape] };
  };
}
