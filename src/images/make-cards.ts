/**
 * Sets the cards of a site: each from the cache, unless its words or the theme changed.
 *
 * A page whose words no typeface of ours can set has no card of its own and is shown with the site's.
 */
import type { CardRequest } from "../contract/picture.ts";
import { CardIndex, cardIndexPath } from "./cache/card-index.ts";
import { openDisposable } from "./cache/disposable.ts";
import { FileStore } from "./cache/files.ts";
import { type CardLook, cardsOf, type Studio } from "./card.ts";
import { openPress } from "./og/press.ts";
import { eachOf } from "./pool/each-of.ts";

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
  /** Cards set at a time; default one a core, 8 at most. */
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
  const studio = openStudio(options, signal);
  const end = (): void => studio.press.close();
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
        await studio.output.take(file, studio.files);
        wanted.add(file.name);
      }
      options.onProgress?.(++done);
    });
    studio.index.keepOnly(studio.started);
    await studio.files.keepOnly(wanted);
    return { ...counts, skippedKeys, removed: await studio.output.keepOnly(wanted) };
  } finally {
    signal.removeEventListener("abort", end);
    studio.press.close();
    studio.index.close();
  }
}

function openStudio(options: CardOptions, signal: AbortSignal): Studio {
  const { cacheDir, outDir, lanes, now } = options;
  return {
    index: openDisposable(cardIndexPath(cacheDir), (path) => new CardIndex(path)),
    files: new FileStore(`${cacheDir}/files`),
    output: new FileStore(outDir),
    press: openPress(cacheDir, lanes),
    started: (now ?? Date.now)(),
    signal,
  };
}
