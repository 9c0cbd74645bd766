/** Pages to render, in batches of one route, and what to remember of them afterwards. */
import { UNKEYED, type Entry, type WrittenFile } from "../ledger/ledger.ts";
import type { PageFile } from "../pages.ts";
import type { Batch, BatchDone } from "./messages.ts";

/** Few enough that the threads end together, many enough that messages cost nothing. */
const BATCH = 64;

/** Of a large build: each message wakes two threads. */
const LARGE_BATCH = 256;
const LARGE_BUILD = 8_192;

/** A batch with the key of each page, which the threads need not know. */
export interface KeyedBatch extends Batch {
  readonly keys: readonly string[];
}

export function* batchesOf(
  stale: readonly PageFile[],
  entries: ReadonlyMap<string, Entry>,
): Generator<KeyedBatch, void, undefined> {
  const size = stale.length < LARGE_BUILD ? BATCH : LARGE_BATCH;
  for (let start = 0; start < stale.length;) {
    const pages = stale[start]?.pages;
    let end = start;
    while (end < stale.length && end - start < size && stale[end]?.pages === pages) end++;
    const part = stale.slice(start, end);
    start = end;
    if (pages === undefined) continue;
    const { route, paths, props } = pages;
    yield {
      route,
      paths: part.map(({ index }) => paths[index] ?? ""),
      files: part.map(({ file }) => file),
      props: props === null ? null : part.map(({ index }) => props[index] ?? {}),
      keys: part.map(({ key }) => key),
      digestsBefore: part.map(({ file, key }) =>
        key === UNKEYED ? (entries.get(file)?.key ?? "") : null,
      ),
      mtimes: part.map(({ file, key }) => mtimeToRestore(key, entries.get(file))),
    };
  }
}

/** A page made from the same as before was lost, not changed: it keeps its date. Without a key, its bytes say whether. */
function mtimeToRestore(key: string, entry: Entry | undefined): number | null {
  return entry !== undefined && (entry.key === key || key === UNKEYED) ? entry.mtime : null;
}

/** @param keep takes what the pages were put together from, and says where it lies */
export function recordsOf(
  batch: KeyedBatch,
  done: BatchDone,
  keep: (recipes: Uint8Array) => number,
): WrittenFile[] {
  const { digests, sizes, mtimes, written, recipes, places, checksums } = done;
  const block = recipes === null ? null : keep(recipes);
  const share = Math.ceil((recipes?.length ?? 0) / batch.files.length);
  return batch.files.map((path, index) => {
    const place = places[index] ?? null;
    const checksum = checksums[index] ?? 0;
    return {
      path,
      key: digests[index] ?? batch.keys[index] ?? UNKEYED,
      size: sizes[index] ?? 0,
      mtime: mtimes[index] ?? 0,
      written: written[index] ?? false,
      recipe: block === null || place === null ? null : { block, place, share, checksum },
    };
  });
}
