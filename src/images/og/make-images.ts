/**
 * Draws the Open Graph images of a site: each from the cache, unless its words or the theme changed.
 *
 * A page whose words no typeface here can set has no image of its own and is shown with the site's.
 */
import { join, resolve } from "node:path";
import { eachOf } from "../../contract/work.ts";
import type { OgRequest, OgTheme } from "../../contract/picture.ts";
import { OgIndex, ogIndexPath } from "./index-file.ts";
import { digest, FileStore, type StoredFile } from "../files.ts";
import type { OgJob } from "./draw.ts";
import { installFonts } from "./install-fonts.ts";
import { settable, shorten } from "./text.ts";
import { ChildFailed, JobRefused, Pool } from "../pool.ts";

/** Raise with every change of how images look. */
const RECIPE = "3";

/** What all images of a site have in common. */
export interface OgLook {
  /** The site's name, at the foot of each image. */
  readonly site: string;
  /** Name in the attribution; null on the paid plan. */
  readonly attribution: string | null;
  readonly theme: OgTheme;
}

export interface OgOptions extends OgLook {
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

export interface OgReport {
  /** Set in this run. */
  readonly made: number;
  readonly reused: number;
  /** Requests whose words no typeface can set, that are too large, or that the child process did not survive. */
  readonly skipped: number;
  /** Their keys, the first few. */
  readonly skippedKeys: readonly string[];
  /** Files that no page needs any more, removed from the output. */
  readonly removed: number;
}

/** Skipped images that are named one by one. */
const NAMED = 50;

/** Graphemes: more than any image has room for, and long texts take long to fit. */
const MOST_SHOWN = 2_000;

/**
 * @param requests each key once
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`
 */
export async function makeOgImages(
  requests: Iterable<OgRequest>,
  options: OgOptions,
): Promise<OgReport> {
  const { site, attribution, theme, cacheDir, lanes, now = Date.now } = options;
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const fonts = await installFonts(resolve(join(cacheDir, `fonts-${RECIPE}`)));
  using index = OgIndex.open(ogIndexPath(cacheDir));
  const files = new FileStore(join(cacheDir, "files"));
  const output = new FileStore(options.outDir);
  await using pool = new Pool<OgJob, Uint8Array>({
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
    if (!(await makeAll(request))) {
      counts.skipped++;
      if (skippedKeys.length < NAMED) skippedKeys.push(request.key);
    }
    options.onProgress?.(++done);
  });
  index.keepOnly(started);
  files.keepOnly(wanted);
  return { ...counts, skippedKeys, removed: output.keepOnly(wanted) };

  /** Makes an image a shape. @returns false when the words cannot be set */
  async function makeAll({
    key,
    shapes,
    style,
    language,
    ...request
  }: OgRequest): Promise<boolean> {
    const text = settable(shorten(request.text, MOST_SHOWN), fonts);
    const byline = request.byline === null ? "" : settable(request.byline, fonts);
    if (text === null || text === "" || byline === null) return false;
    const foot = { site: text === site ? null : site, attribution };
    const job = { style, text, byline: byline || null, language, theme, ...foot };
    const made: Made[] = [];
    for (const shape of shapes) {
      const image = await makeImage({ ...job, shape }, key);
      if (image === null) return false;
      made.push(image);
    }
    for (const { file, how } of made) {
      counts[how]++;
      output.take(file, files);
      wanted.add(file.name);
    }
    return true;
  }

  async function makeImage(job: OgJob, key: string): Promise<Made | null> {
    const name = digest(JSON.stringify([RECIPE, job]));
    const twin = index.twin(name);
    const kept = twin !== null && files.has(twin) ? twin : null;
    try {
      const file = kept ?? files.put(await pool.run(job), "png");
      index.save(key, job.shape, name, file, started);
      return { file, how: kept === null ? "made" : "reused" };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ChildFailed || error instanceof JobRefused) return null;
      throw error;
    }
  }
}

interface Made {
  readonly file: StoredFile;
  readonly how: "made" | "reused";
}
