/**
 * The stage: each distinct address once, from the cache or from its host, to files the site can show.
 *
 * No picture ends a build, unless the policy says so: whatever a host does is counted and given a reason.
 */
import { join } from "node:path";
import { eachOf } from "../contract/work.ts";
import { PublishRefused } from "../contract/errors.ts";
import type { PicturePolicy } from "../contract/picture.ts";
import type { EncodedPicture } from "./encode.ts";
import { FAILURES, type FailureReason, isReason, PictureFailed, retryAt } from "./failures.ts";
import { type FetchOptions, openFetcher } from "./fetch-picture.ts";
import { FileStore, digest } from "./files.ts";
import {
  type AddressRow,
  openPictureIndex,
  readAddress,
  readPicture,
  saveAddress,
  savePicture,
  type StoredPicture,
} from "./picture-index.ts";
import { JobFailed, openPool } from "./pool.ts";
import { RECIPE } from "./recipe.ts";

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
}

/** What came of the pictures of a run, for `build.json`, the audit and the log. */
export type PictureReport = Readonly<Awaited<ReturnType<typeof makeThumbnails>>>;

/** Failures that are named one by one. */
const NAMED = 50;

/** How long the cache keeps what no quote names any more: a quote may come back. */
const KEEP_MS = 30 * 24 * 3_600_000;

/**
 * What a large picture took goes back to the system, and not to a list of the allocator's: glibc keeps blocks under its
 * thresholds. Other systems do not know these names. It costs a third more time where many small images are drawn.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" };

const NO_FAILURE = { reason: null, detail: null, failures: 0, retryAt: 0 } as const;

/**
 * @param addresses each once; what the service sent, unchecked
 * @returns also the requests that were sent, to any host, and the files that no page needs any more and that were removed
 * @throws {PublishRefused} under the policy `fail`, when an address has nothing to show
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`, within a second; what was made stays in the cache
 */
export async function makeThumbnails(addresses: Iterable<string>, options: ThumbnailOptions) {
  const { cacheDir, network = true, now = Date.now, redact = String, lanes } = options;
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const started = now();
  await using fetcher = openFetcher({ ...options, signal });
  using index = openPictureIndex(cacheDir);
  await using encoder = openPool<Uint8Array, EncodedPicture>({
    entry: new URL("./encode-child.ts", import.meta.url),
    env: ALLOCATOR,
    lanes,
    jobTimeoutMs: 15_000,
    signal,
  });
  const files = new FileStore(join(cacheDir, "files"));
  const output = new FileStore(options.outDir);
  const counts = {
    /** `made + reused + failed`. */
    addresses: 0,
    /** Encoded in this run. */
    made: 0,
    /** Taken from the cache: still fresh, unchanged (304), or the same bytes as before. */
    reused: 0,
    failed: 0,
    /** Of the failed: shown as they were before. */
    shownFromBefore: 0,
  };
  const reasons: Partial<Record<FailureReason, number>> = {};
  /** The first few, for a person; the detail does not repeat the address. */
  const failures: { address: string; reason: FailureReason; detail: string }[] = [];
  /** Originals of all that is shown, less their AVIF at 1×. */
  let bytesSaved = 0;
  const wanted = new Set<string>();
  /** Pictures being encoded now, by id: two addresses may bring the same one. */
  const underWay = new Map<string, Promise<StoredPicture>>();

  await eachOf(addresses, options.fetches ?? 8, async (address) => {
    signal.throwIfAborted();
    const picture = await settle(address);
    for (const file of picture?.files ?? []) {
      output.take(file, files);
      wanted.add(file.name);
    }
    bytesSaved += (picture?.originalBytes ?? 0) - (picture?.files[0]?.bytes ?? 0);
    counts.addresses++;
    options.onProgress?.(counts.addresses);
  });
  const removed = output.keepOnly(wanted);
  index.run("DELETE FROM addresses WHERE seen < ?", started - KEEP_MS);
  index.run(
    "DELETE FROM pictures WHERE id NOT IN (SELECT picture FROM addresses WHERE picture IS NOT NULL)",
  );
  const kept = index.all<{ readonly id: string }>("SELECT id FROM pictures");
  const keptFiles = kept.flatMap(({ id }) => readPicture(index, id)?.files ?? []);
  files.keepOnly(new Set(keptFiles.map(({ name }) => name)));
  const missing = counts.failed - counts.shownFromBefore;
  if (options.policy === "fail" && missing > 0) {
    const named = failures
      .slice(0, 5)
      .map((one) => `${one.address} (${one.reason}: ${one.detail})`);
    throw new PublishRefused(`Cannot show ${missing} pictures: ${named.join("; ")}`);
  }
  const { requests, bytesFetched } = fetcher.counts;
  return { ...counts, requests, reasons, failures, bytesFetched, bytesSaved, removed };

  /**
   * One address, from what is known of it to what is shown for it; null for nothing. A failure is an outcome and not an error:
   * it is written down with its expiry, and the build goes on.
   */
  async function settle(address: string): Promise<StoredPicture | null> {
    const blank = { address, picture: null, seen: 0, freshUntil: 0, ...NO_FAILURE };
    const noValidators = { etag: null, lastModified: null, answeredBy: null };
    const row = readAddress(index, address) ?? { ...blank, ...noValidators };
    const held = row.picture === null ? null : heldPicture(row.picture);
    try {
      const { how, picture, changes } = await obtain(row, held);
      saveAddress(index, { ...row, ...changes, picture: picture.id, seen: started });
      counts[how]++;
      return picture;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PictureFailed)) throw error;
      const { reason } = error;
      // Where a host sends us is its own choice of words.
      const detail = redact(error.message);
      const earlier = FAILURES[reason].keepsEarlier ? held : null;
      // A failure that was only remembered, or a fetch that was put off, leaves the memory as it is.
      const isKnown = reason === "postponed" || row.retryAt > started;
      const inRow = row.failures + 1;
      const retry = retryAt(reason, inRow, started);
      const memory = isKnown ? {} : { reason, detail, failures: inRow, retryAt: retry };
      saveAddress(index, { ...row, ...memory, picture: earlier?.id ?? null, seen: started });
      counts.failed++;
      if (earlier !== null) counts.shownFromBefore++;
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      if (failures.length < NAMED) {
        failures.push({ address: printableAddress(address), reason, detail });
      }
      return earlier;
    }
  }

  async function obtain(row: AddressRow, held: StoredPicture | null): Promise<Obtained> {
    if (!network) {
      if (held !== null) return { how: "reused", picture: held };
      throw new PictureFailed("postponed", "there is no network in this run");
    }
    if (row.reason !== null && row.retryAt > started) {
      throw new PictureFailed(row.reason, row.detail ?? "");
    }
    const current = held?.recipe === RECIPE ? held : null;
    if (current !== null && row.reason === null && row.freshUntil > started) {
      return { how: "reused", picture: current };
    }
    const known = current === null ? null : row;
    const { bytes, validators, freshUntil } = await fetcher.fetchPicture(row.address, known);
    const changes = { ...NO_FAILURE, ...validators, freshUntil };
    if (bytes === null && current !== null) return { how: "reused", picture: current, changes };
    return { ...(await recognise(bytes ?? new Uint8Array())), changes };
  }

  /** The same bytes are not encoded twice, wherever they come from. */
  async function recognise(original: Uint8Array): Promise<Obtained> {
    const id = digest(original);
    const known = heldPicture(id);
    if (known?.recipe === RECIPE) return { how: "reused", picture: known };
    const how = underWay.has(id) ? "reused" : "made";
    const picture = underWay.getOrInsertComputed(id, () =>
      make(id, original).finally(() => underWay.delete(id)),
    );
    return { how, picture: await picture };
  }

  async function make(id: string, original: Uint8Array): Promise<StoredPicture> {
    const { variants, ...size } = await encoder.run(original).catch((error: unknown) => {
      if (!(error instanceof JobFailed)) throw error;
      const { reason, message } = error;
      if (reason === null) throw new PictureFailed("decoder-failed", message);
      throw isReason(reason) ? new PictureFailed(reason, message) : error;
    });
    const stored = variants.map(({ bytes, ...variant }) => ({
      ...files.put(bytes, variant.type.slice("image/".length)),
      ...variant,
    }));
    const picture = { id, recipe: RECIPE, ...size, originalBytes: original.length, files: stored };
    savePicture(index, picture);
    return picture;
  }

  /** A picture counts as held only while all its files are there: a cache may be emptied at any time. */
  function heldPicture(id: string): StoredPicture | null {
    const picture = readPicture(index, id);
    return picture?.files.every((file) => files.isIntact(file, output)) === true ? picture : null;
  }
}

interface Obtained {
  readonly how: "made" | "reused";
  readonly picture: StoredPicture;
  readonly changes?: Partial<AddressRow>;
}

/** Without credentials and query, which may be secrets, and cut to a line. */
function printableAddress(address: string): string {
  const url = URL.parse(address);
  const plain = url === null ? address : `${url.protocol}//${url.host}${url.pathname}`;
  return plain.replace(/[\s\p{C}]+/gu, " ").slice(0, 200);
}
