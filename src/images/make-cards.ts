/**
 * Draws the Open Graph images of a site: each from the cache, unless its words or the theme changed.
 *
 * A page whose words no typeface here can set has no image of its own and is shown with the site's.
 */
import { join, resolve } from "node:path";
import { eachOf } from "../contract/each-of.ts";
import type { CardRequest, CardShape, CardTheme } from "../contract/picture.ts";
import { CardIndex, cardIndexPath } from "./card-index.ts";
import { digest, FileStore, type StoredFile } from "./files.ts";
import type { CardJob } from "./og/draw.ts";
import { type InstalledFonts, installFonts } from "./og/install-fonts.ts";
import { settable, shorten } from "./og/text.ts";
import { ChildFailed, JobRefused, Pool } from "./pool.ts";

/** Raise with every change of how cards look. */
const RECIPE = "3";

/** What all cards of a site have in common. */
export interface CardLook {
  /** The site's name, at the foot of each card. */
  readonly site: string;
  /** Whom the cards thank; null on the paid plan. */
  readonly attribution: string | null;
  readonly theme: CardTheme;
}

export interface CardOptions extends CardLook {
  /** Cache that survives from night to night, such as `.commonplace/cards`. */
  readonly cacheDir: string;
  /** Where the site's files go, such as `dist/_cards`; nothing else may live in it. */
  readonly outDir: string;
  /** Ends the run within a second; what was set stays in the cache. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Told after each request how many are done. */
  readonly onProgress?: (done: number) => void;
  /** Cards set at a time; default one a core, 4 at most. */
  readonly lanes?: number;
}

export interface CardReport {
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

/** Skipped cards that are named one by one. */
const NAMED = 50;

/**
 * @param requests each key once
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`
 */
export async function makeCards(
  requests: Iterable<CardRequest>,
  options: CardOptions,
): Promise<CardReport> {
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const studio = await openStudio(options, signal);
  const end = (): void => void studio.press.close();
  signal.addEventListener("abort", end, { once: true });
  const counts = { made: 0, reused: 0, skipped: 0 };
  const skippedKeys: string[] = [];
  const wanted = new Set<string>();
  let done = 0;
  try {
    await eachOf(requests, 8, async (request) => {
      signal.throwIfAborted();
      const cards = await cardsOf(request, options, studio);
      if (cards === null) {
        counts.skipped++;
        if (skippedKeys.length < NAMED) skippedKeys.push(request.key);
      }
      for (const { file, how } of cards ?? []) {
        counts[how]++;
        studio.output.take(file, studio.files);
        wanted.add(file.name);
      }
      options.onProgress?.(++done);
    });
    studio.index.keepOnly(studio.started);
    studio.files.keepOnly(wanted);
    return { ...counts, skippedKeys, removed: studio.output.keepOnly(wanted) };
  } finally {
    signal.removeEventListener("abort", end);
    await studio.press.close();
    studio.index.close();
  }
}

interface Studio {
  readonly fonts: InstalledFonts;
  readonly index: CardIndex;
  readonly files: FileStore;
  readonly output: FileStore;
  readonly press: Pool<CardJob, Uint8Array>;
  /** When the run began, in milliseconds since the epoch. */
  readonly started: number;
  readonly signal: AbortSignal;
}

interface Made {
  readonly file: StoredFile;
  readonly how: "made" | "reused";
}

/** Graphemes: more than any card has room for, and long texts take long to fit. */
const MOST_SHOWN = 2_000;

/** @returns a file a shape; null when the words cannot be set */
async function cardsOf(
  request: CardRequest,
  look: CardLook,
  studio: Studio,
): Promise<Made[] | null> {
  const text = settable(shorten(request.text, MOST_SHOWN), studio.fonts);
  const byline = request.byline === null ? "" : settable(request.byline, studio.fonts);
  if (text === null || text === "" || byline === null) return null;
  const { site, attribution, theme } = look;
  const { style, language } = request;
  const foot = { site: text === site ? null : site, attribution };
  const job = { style, text, byline: byline || null, language, theme, ...foot };
  const cards: Made[] = [];
  for (const shape of request.shapes) {
    const made = await cardOf({ ...job, shape }, request.key, shape, studio);
    if (made === null) return null;
    cards.push(made);
  }
  return cards;
}

async function cardOf(
  job: CardJob,
  key: string,
  shape: CardShape,
  { index, files, press, started, signal }: Studio,
): Promise<Made | null> {
  const named = digest(JSON.stringify([RECIPE, job]));
  const twin = index.twin(named);
  if (twin !== null && files.has(twin)) {
    index.save(key, shape, named, twin, started);
    return { file: twin, how: "reused" };
  }
  try {
    const file = files.put(await press.run(job), "png");
    index.save(key, shape, named, file, started);
    return { file, how: "made" };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ChildFailed || error instanceof JobRefused) return null;
    throw error;
  }
}

/** @throws {DiskError} when the cache cannot be written */
async function openStudio(options: CardOptions, signal: AbortSignal): Promise<Studio> {
  const { cacheDir, outDir, lanes, now } = options;
  const fonts = await installFonts(resolve(join(cacheDir, `fonts-${RECIPE}`)));
  return {
    fonts,
    index: new CardIndex(cardIndexPath(cacheDir)),
    files: new FileStore(`${cacheDir}/files`),
    output: new FileStore(outDir),
    press: new Pool({
      entry: new URL("./og/child.ts", import.meta.url),
      env: { FONTCONFIG_FILE: fonts.settings },
      lanes,
      jobTimeoutMs: 20_000,
    }),
    started: (now ?? Date.now)(),
    signal,
  };
}
