/**
 * Makes the Open Graph images of a site. An image comes from the cache unless its text or the theme changed.
 *
 * A page whose text the fonts do not cover has no image of its own, and uses that of the site.
 */
import { join, resolve } from "node:path";
import { eachOf } from "../../util/work.ts";
import { languageOf } from "../../contract/languages.ts";
import type { OgRequest, OgTheme } from "../../contract/picture.ts";
import { openOgIndex } from "../picture-index.ts";
import { digest, FileStore, HELD_FILE, type StoredFile } from "../files.ts";
import type { OgJob } from "./draw.ts";
import { installFonts } from "./install-fonts.ts";
import { settable, shorten } from "./text.ts";
import { JobFailed, openPool } from "../pool.ts";

/** Raise with every change of the images' look. */
const RECIPE = "5";

export interface OgOptions {
  readonly site: string;
  /** Name in the attribution; null on the paid plan. */
  readonly attribution: string | null;
  readonly theme: OgTheme;
  /** Such as `.commonplace/cards`. */
  readonly cacheDir: string;
  /** Folder of the site for these images alone, such as `dist/_cards`. */
  readonly outDir: string;
  /** Ends the run within a second; finished images stay in the cache. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Receives the number of finished requests after each. */
  readonly onProgress?: (done: number) => void;
  /** The digest that the specimen has elsewhere. */
  readonly specimen?: string;
  /** Concurrent drawings; default one per core, at most 4. */
  readonly lanes?: number;
}

export type OgReport = Awaited<ReturnType<typeof makeOgImages>>;

/**
 * A drawing of two scripts, and the digest of its bytes. A machine that draws it otherwise does not use these typefaces as
 * they are, or has another version of the library: a site built there and elsewhere by turns draws all its images anew.
 */
const SPECIMEN: OgJob = {
  shape: "wide",
  style: "quote",
  text: "Know thyself. اعرف نفسك",
  byline: "Δελφοί",
  language: languageOf("en"),
  theme: { paper: "#ffffff", ink: "#000000", muted: "#666666", accent: "#aa0000" },
  site: "Commonplace",
  attribution: "quotes.example",
};
const SPECIMEN_DIGEST = "56b21d6f7be9a8ba5a3dd69dfc1b639619b2a059bc0628f5e98dc0dc9bb41061";

/** Skipped requests whose keys the report lists. */
const MOST_LISTED = 50;

/** Graphemes: no image has room for more, and fitting a long text takes long. */
const MOST_SHOWN = 2_000;

/**
 * @param requests with distinct keys
 * @returns images `made` and `reused`; requests `skipped`, since the fonts do not cover the text, it is too large or the child
 *   process crashed, and the first of their keys; files `removed` from the site; whether images were drawn `unlike` those of
 *   other machines
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`
 */
export async function makeOgImages(requests: Iterable<OgRequest>, options: OgOptions) {
  const { theme, cacheDir, lanes, now = Date.now } = options;
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const { settings, covers } = await installFonts(resolve(join(cacheDir, `fonts-${RECIPE}`)));
  // The foot lacks a name that the fonts do not cover.
  const inFoot = (text: string | null) => settable(text ?? "", covers) || null;
  const site = inFoot(options.site);
  const attribution = inFoot(options.attribution);
  using index = openOgIndex(cacheDir);
  const files = new FileStore(join(cacheDir, "files"));
  const output = new FileStore(options.outDir);
  await using pool = openPool<OgJob, Uint8Array>({
    entry: new URL("./child.ts", import.meta.url),
    // On macOS, Pango would take the system's own typefaces.
    env: { FONTCONFIG_FILE: settings, PANGOCAIRO_BACKEND: "fontconfig" },
    lanes,
    jobTimeoutMs: 20_000,
    signal,
  });
  const started = now();
  const counts = { made: 0, reused: 0, skipped: 0 };
  const skippedKeys: string[] = [];
  const wanted = new Set<string>();
  let unlike = false;
  let done = 0;
  await eachOf(requests, 8, async (request) => {
    signal.throwIfAborted();
    const images = await makeAll(request);
    if (images === null) {
      counts.skipped++;
      if (skippedKeys.length < MOST_LISTED) skippedKeys.push(request.key);
    }
    for (const { file, how } of images ?? []) {
      counts[how]++;
      output.take(file, files);
      wanted.add(file.name);
    }
    options.onProgress?.(++done);
  });
  if (counts.made > 0) {
    const drawn = await pool.run(SPECIMEN).then(digest, () => null);
    signal.throwIfAborted();
    unlike = drawn !== (options.specimen ?? SPECIMEN_DIGEST);
  }
  // Images that no page of this run requested.
  index.run("DELETE FROM cards WHERE seen <> ?", started);
  files.keepOnly(wanted);
  return {
    ...counts,
    skippedKeys,
    removed: output.keepOnly(wanted, join(cacheDir, HELD_FILE)),
    unlike,
  };

  /** Makes an image for each shape; null when the text cannot be drawn. */
  async function makeAll({ key, shapes, style, language, ...request }: OgRequest) {
    const text = settable(shorten(request.text, MOST_SHOWN), covers);
    const byline = request.byline === null ? "" : settable(request.byline, covers);
    if (text === null || text === "" || byline === null) return null;
    const foot = { site: text === site ? null : site, attribution };
    const job = { style, text, byline: byline || null, language, theme, ...foot };
    const images = [];
    try {
      for (const shape of shapes) images.push(await makeImage({ ...job, shape }, key));
      return images;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof JobFailed) return null;
      throw error;
    }
  }

  async function makeImage(job: OgJob, key: string) {
    const drawnFrom = digest(JSON.stringify([RECIPE, job]));
    // An image with the same text and theme, of any page.
    const sql = "SELECT name, bytes FROM cards WHERE digest = ? LIMIT 1";
    const twin = index.get<StoredFile>(sql, drawnFrom);
    const kept = twin !== undefined && files.isIntact(twin, output) ? twin : null;
    const file = kept ?? files.put(await pool.run(job), "png");
    index.run(
      "INSERT OR REPLACE INTO cards(key, shape, digest, name, bytes, seen) VALUES (?, ?, ?, ?, ?, ?)",
      ...[key, job.shape, drawnFrom, file.name, file.bytes, started],
    );
    return { file, how: kept === null ? "made" : "reused" } as const;
  }
}
