/**
 * The stage: each distinct address once, from the cache or from its host, to files the site can show.
 *
 * No picture ends a build, unless the policy says so: whatever a host does is counted and given a reason.
 */
import { join } from "node:path";
import { eachOf } from "../contract/each-of.ts";
import { PublishRefused } from "../contract/errors.ts";
import type { PicturePolicy } from "../contract/picture.ts";
import type { EncodedPicture } from "./encode.ts";
import { FETCH_DEFAULTS, type FetchOptions, Origins } from "./fetch-picture.ts";
import { FileStore } from "./files.ts";
import { openAgents, type Resolver } from "./guard.ts";
import { indexPath, PictureIndex } from "./picture-index.ts";
import { Pool } from "./pool.ts";
import { type PictureReport, Tally } from "./report.ts";
import { settle, type Workshop } from "./thumbnail.ts";

export interface ThumbnailOptions extends FetchOptions {
  /** Cache that is kept from run to run, such as `.commonplace/thumbnails`. */
  readonly cacheDir: string;
  /** Where the site's files go, such as `dist/_pictures`; nothing else may live in it. */
  readonly outDir: string;
  readonly policy: PicturePolicy;
  /** False to work from the cache alone. Default true. */
  readonly network?: boolean;
  /** Called after each address with how many are done. */
  readonly onProgress?: (done: number) => void;
  /** Pictures in flight; default 8. */
  readonly fetches?: number;
  /** Pictures encoded at a time; default one a core, 4 at most. */
  readonly lanes?: number;
  /** Default: the system's. */
  readonly resolve?: Resolver;
}

/** How long the cache keeps what no quote names any more: a quote may come back. */
const KEEP_MS = 30 * 24 * 3_600_000;

/**
 * What a large picture took goes back to the system, and not to a list of the allocator's: glibc keeps blocks under its
 * thresholds. Other systems do not know these names. It costs a third more time where many small images are drawn.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" };

/**
 * @param addresses each once; what the service sent, unchecked
 * @throws {PublishRefused} under the policy `fail`, when an address has nothing to show
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`, within a second; what was made stays in the cache
 */
export async function makeThumbnails(
  addresses: Iterable<string>,
  options: ThumbnailOptions,
): Promise<PictureReport> {
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const started = (options.now ?? Date.now)();
  const tally = new Tally();
  await using agents = openAgents(options.resolve);
  using index = new PictureIndex(indexPath(options.cacheDir));
  const files = new FileStore(join(options.cacheDir, "files"));
  await using encoder = new Pool<Uint8Array, EncodedPicture>({
    entry: new URL("./encode-child.ts", import.meta.url),
    env: ALLOCATOR,
    lanes: options.lanes,
    jobTimeoutMs: 15_000,
    signal,
  });
  const output = new FileStore(options.outDir);
  const workshop: Workshop = {
    index,
    files,
    encoder,
    tally,
    started,
    network: options.network ?? true,
    underWay: new Map(),
    fetching: {
      ...FETCH_DEFAULTS,
      ...options,
      agents,
      origins: new Origins(),
      signal,
      onRequest: () => tally.request(),
    },
  };
  const wanted = new Set<string>();
  let done = 0;
  await eachOf(addresses, options.fetches ?? 8, async (address) => {
    signal.throwIfAborted();
    const picture = await settle(address, workshop);
    for (const file of picture?.files ?? []) {
      output.take(file, files);
      wanted.add(file.name);
    }
    options.onProgress?.(++done);
  });
  const removed = output.keepOnly(wanted);
  index.forgetBefore(started - KEEP_MS);
  files.keepOnly(new Set(index.files()));
  const report = tally.report(removed);
  if (options.policy === "fail") refuseMissing(report);
  return report;
}

function refuseMissing({ failed, shownFromBefore, failures }: PictureReport): void {
  const missing = failed - shownFromBefore;
  if (missing === 0) return;
  const named = failures
    .slice(0, 5)
    .map(({ address, reason, detail }) => `${address} (${reason}: ${detail})`);
  throw new PublishRefused(`Cannot show ${missing} pictures: ${named.join("; ")}`);
}
