/**
 * Draws the Open Graph images of a site: each from the cache, unless its words or the theme changed.
 *
 * A page whose words no typeface here can set has no image of its own and is shown with the site's.
 */
import { join, resolve } from "node:path";
import { eachOf } from "../../contract/work.ts";
import type { OgRequest, OgTheme } from "../../contract/picture.ts";
import { openOgIndex } from "../picture-index.ts";
import { digest, FileStore, type StoredFile } from "../files.ts";
import type { OgJob } from "./draw.ts";
import { installFonts } from "./install-fonts.ts";
import { settable, shorten } from "./text.ts";
import { JobFailed, openPool } from "../pool.ts";

/** Raise with every change of how images look. */
const RECIPE = "3";

export interface OgOptions {
  /** The site's name, at the foot of each image. */
  readonly site: string;
  /** Name in the attribution; null on the paid plan. */
  readonly attribution: string | null;
  readonly theme: OgTheme;
  /** Cache that is kept from build to build, such as `.commonplace/cards`. */
  readonly cacheDir: string;
  /** Where the site's files go, such as `dist/_cards`; nothing else may live in it. */
  readonly outDir: string;
  /** Ends the run within a second; what was set stays in the cache. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called after each request with how many are done. */
  readonly onProgress?: (done: number) => void;
  /** Images set at a time; default one a core, 4 at most. */
  readonly lanes?: number;
}

export type OgReport = Awaited<ReturnType<typeof makeOgImages>>;

/** Skipped images that are named one by one. */
const NAMED = 50;

/** Graphemes: more than any image has room for, and long texts take long to fit. */
const MOST_SHOWN = 2_000;

/**
 * @param requests each key once
 * @returns images made and reused; requests that were skipped, since no typeface can set their words, they are too large or the
 *   child process did not survive them, and the first few of their keys; files that no page needs any more and that were removed
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`
 */
export async function makeOgImages(requests: Iterable<OgRequest>, options: OgOptions) {
  const { theme, cacheDir, lanes, now = Date.now } = options;
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const fonts = await installFonts(resolve(join(cacheDir, `fonts-${RECIPE}`)));
  // What no typeface can set is left out of the foot, as an emoji is.
  const inFoot = (text: string | null) => settable(text ?? "", fonts) || null;
  const site = inFoot(options.site);
  const attribution = inFoot(options.attribution);
  using index = openOgIndex(cacheDir);
  const files = new FileStore(join(cacheDir, "files"));
  const output = new FileStore(options.outDir);
  await using pool = openPool<OgJob, Uint8Array>({
    entry: new URL("./child.ts", import.meta.url),
    env: { FONTCONFIG_FILE: fonts.settings },
    lanes,
    jobTimeoutMs: 20_000,
    signal,
  });
  const started = now();
  const counts = { made: 0, reused: 0, skipped: 0 };
  const skippedKeys: string[] = [];
  const wanted = new Set<string>();
  let done = 0;
  await eachOf(requests, 8, async (request) => {
    signal.throwIfAborted();
    const images = await makeAll(request);
    if (images === null) {
      counts.skipped++;
      if (skippedKeys.length < NAMED) skippedKeys.push(request.key);
    }
    for (const { file, how } of images ?? []) {
      counts[how]++;
      output.take(file, files);
      wanted.add(file.name);
    }
    options.onProgress?.(++done);
  });
  // The images of pages that this run did not ask for.
  index.run("DELETE FROM cards WHERE seen <> ?", started);
  files.keepOnly(wanted);
  return { ...counts, skippedKeys, removed: output.keepOnly(wanted) };

  /** Makes an image a shape; null when the words cannot be set. */
  async function makeAll({ key, shapes, style, language, ...request }: OgRequest) {
    const text = settable(shorten(request.text, MOST_SHOWN), fonts);
    const byline = request.byline === null ? "" : settable(request.byline, fonts);
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
    // Of the same words in the same theme, for any page.
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
