/**
 * Draws the Open Graph images of a site: each from the cache, unless its words or the theme changed.
 *
 * A page whose words no typeface here can set has no image of its own and is shown with the site's.
 */
import { join, resolve } from "node:path";
import { eachOf } from "../../contract/each-of.ts";
import type { OgRequest, OgShape, OgTheme } from "../../contract/picture.ts";
import { OgIndex, ogIndexPath } from "./index-file.ts";
import { digest, FileStore, type StoredFile } from "../files.ts";
import type { OgJob } from "./draw.ts";
import { type InstalledFonts, installFonts } from "./install-fonts.ts";
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

/**
 * @param requests each key once
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`
 */
export async function makeOgImages(
  requests: Iterable<OgRequest>,
  options: OgOptions,
): Promise<OgReport> {
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const context = await openContext(options, signal);
  const end = (): void => void context.pool.close();
  signal.addEventListener("abort", end, { once: true });
  const counts = { made: 0, reused: 0, skipped: 0 };
  const skippedKeys: string[] = [];
  const wanted = new Set<string>();
  let done = 0;
  try {
    await eachOf(requests, 8, async (request) => {
      signal.throwIfAborted();
      const images = await imagesOf(request, options, context);
      if (images === null) {
        counts.skipped++;
        if (skippedKeys.length < NAMED) skippedKeys.push(request.key);
      }
      for (const { file, how } of images ?? []) {
        counts[how]++;
        context.output.take(file, context.files);
        wanted.add(file.name);
      }
      options.onProgress?.(++done);
    });
    context.index.keepOnly(context.started);
    context.files.keepOnly(wanted);
    return { ...counts, skippedKeys, removed: context.output.keepOnly(wanted) };
  } finally {
    signal.removeEventListener("abort", end);
    await context.pool.close();
    context.index.close();
  }
}

interface Context {
  readonly fonts: InstalledFonts;
  readonly index: OgIndex;
  readonly files: FileStore;
  readonly output: FileStore;
  readonly pool: Pool<OgJob, Uint8Array>;
  /** When the run began, in milliseconds since the epoch. */
  readonly started: number;
  readonly signal: AbortSignal;
}

interface Made {
  readonly file: StoredFile;
  readonly how: "made" | "reused";
}

/** Graphemes: more than any image has room for, and long texts take long to fit. */
const MOST_SHOWN = 2_000;

/** @returns a file a shape; null when the words cannot be set */
async function imagesOf(
  request: OgRequest,
  look: OgLook,
  context: Context,
): Promise<Made[] | null> {
  const text = settable(shorten(request.text, MOST_SHOWN), context.fonts);
  const byline = request.byline === null ? "" : settable(request.byline, context.fonts);
  if (text === null || text === "" || byline === null) return null;
  const { site, attribution, theme } = look;
  const { style, language } = request;
  const foot = { site: text === site ? null : site, attribution };
  const job = { style, text, byline: byline || null, language, theme, ...foot };
  const images: Made[] = [];
  for (const shape of request.shapes) {
    const made = await imageOf({ ...job, shape }, request.key, shape, context);
    if (made === null) return null;
    images.push(made);
  }
  return images;
}

async function imageOf(
  job: OgJob,
  key: string,
  shape: OgShape,
  { index, files, pool, started, signal }: Context,
): Promise<Made | null> {
  const name = digest(JSON.stringify([RECIPE, job]));
  const twin = index.twin(name);
  if (twin !== null && files.has(twin)) {
    index.save(key, shape, name, twin, started);
    return { file: twin, how: "reused" };
  }
  try {
    const file = files.put(await pool.run(job), "png");
    index.save(key, shape, name, file, started);
    return { file, how: "made" };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ChildFailed || error instanceof JobRefused) return null;
    throw error;
  }
}

/** @throws {DiskError} when the cache cannot be written */
async function openContext(options: OgOptions, signal: AbortSignal): Promise<Context> {
  const { cacheDir, outDir, lanes, now } = options;
  const fonts = await installFonts(resolve(join(cacheDir, `fonts-${RECIPE}`)));
  return {
    fonts,
    index: new OgIndex(ogIndexPath(cacheDir)),
    files: new FileStore(`${cacheDir}/files`),
    output: new FileStore(outDir),
    pool: new Pool({
      entry: new URL("./child.ts", import.meta.url),
      env: { FONTCONFIG_FILE: fonts.settings },
      lanes,
      jobTimeoutMs: 20_000,
    }),
    started: (now ?? Date.now)(),
    signal,
  };
}
