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
import {
  FETCH_DEFAULTS,
  type FetchOptions,
  Origins,
  type FetchContext,
  type Fetched,
  fetchPicture,
} from "./fetch-picture.ts";
import { FileStore, digest } from "./files.ts";
import { openAgents, type Resolver } from "./guard.ts";
import { indexPath, PictureIndex, type AddressRow, type StoredPicture } from "./picture-index.ts";
import { Pool, ChildFailed, JobRefused } from "./pool.ts";
import { type PictureReport, Tally } from "./report.ts";
import { type Failure, type FailureReason, FAILURES, PictureFailed, retryAt } from "./failures.ts";
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
  using index = PictureIndex.open(indexPath(options.cacheDir));
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

interface Workshop {
  readonly index: PictureIndex;
  readonly files: FileStore;
  readonly encoder: Pool<Uint8Array, EncodedPicture>;
  readonly fetching: FetchContext;
  /** False to use the cache alone, without a request. */
  readonly network: boolean;
  /** When the run began, in milliseconds since the epoch. */
  readonly started: number;
  readonly tally: Tally;
  /** Pictures being encoded now, by id: two addresses may bring the same one. */
  readonly underWay: Map<string, Promise<StoredPicture>>;
}

/**
 * One address, from what is known of it to what is shown for it. A failure is an outcome and not an error: it is written
 * down with its expiry, and the build goes on.
 *
 * @returns the picture to show; null when there is none
 */
async function settle(address: string, workshop: Workshop): Promise<StoredPicture | null> {
  const { index, tally, started } = workshop;
  const row = index.address(address) ?? blankRow(address);
  const held = row.picture === null ? null : heldPicture(row.picture, workshop);
  try {
    const { how, picture, changes } = await obtain(row, held, workshop);
    index.saveAddress({ ...row, ...changes, picture: picture.id, seen: started });
    tally.succeeded(how, picture);
    return picture;
  } catch (error) {
    workshop.fetching.signal.throwIfAborted();
    if (!(error instanceof PictureFailed)) throw error;
    // Where a host sends us is its own choice of words.
    const detail = workshop.fetching.redact(error.message);
    const failure = { reason: error.reason, detail };
    const earlier = FAILURES[failure.reason].keepsEarlier ? held : null;
    index.saveAddress({
      ...row,
      ...rememberFailure(row, failure, started),
      picture: earlier?.id ?? null,
      seen: started,
    });
    tally.failed(address, failure, earlier);
    return earlier;
  }
}

interface Obtained {
  readonly how: "made" | "reused";
  readonly picture: StoredPicture;
  readonly changes: Partial<AddressRow>;
}

async function obtain(
  row: AddressRow,
  held: StoredPicture | null,
  workshop: Workshop,
): Promise<Obtained> {
  const { fetching, network, started, tally } = workshop;
  if (!network) {
    if (held !== null) return { how: "reused", picture: held, changes: {} };
    throw new PictureFailed("postponed", "there is no network in this run");
  }
  if (row.reason !== null && row.retryAt > started) {
    throw new PictureFailed(row.reason, row.detail ?? "");
  }
  const current = held?.recipe === RECIPE ? held : null;
  if (current !== null && row.reason === null && row.freshUntil > started) {
    return { how: "reused", picture: current, changes: {} };
  }
  const known = current === null ? null : row.validators;
  const fetched = await fetchPicture(row.address, known, fetching);
  const changes = { ...SUCCESS, validators: fetched.validators, freshUntil: fetched.freshUntil };
  if (fetched.bytes === null && current !== null) {
    return { how: "reused", picture: current, changes };
  }
  tally.fetched(fetched.bytes?.length ?? 0);
  return { ...(await recognise(fetched, workshop)), changes };
}

/** The same bytes are not encoded twice, wherever they come from. */
async function recognise(
  { bytes }: Fetched,
  workshop: Workshop,
): Promise<Pick<Obtained, "how" | "picture">> {
  const { underWay } = workshop;
  const original = bytes ?? new Uint8Array();
  const id = digest(original);
  const known = heldPicture(id, workshop);
  if (known?.recipe === RECIPE) return { how: "reused", picture: known };
  const how = underWay.has(id) ? "reused" : "made";
  const picture = underWay.getOrInsertComputed(id, () =>
    make(id, original, workshop).finally(() => underWay.delete(id)),
  );
  return { how, picture: await picture };
}

async function make(
  id: string,
  original: Uint8Array,
  { encoder, files, index }: Workshop,
): Promise<StoredPicture> {
  const { width, height, colour, variants } = await encoder.run(original).catch(asPictureFailure);
  const stored = variants.map(({ bytes, ...variant }) => ({
    ...files.put(bytes, variant.type.slice("image/".length)),
    ...variant,
  }));
  const size = { width, height, colour, originalBytes: original.length };
  const picture = { id, recipe: RECIPE, ...size, files: stored };
  index.savePicture(picture);
  return picture;
}

function asPictureFailure(error: unknown): never {
  if (error instanceof ChildFailed) throw new PictureFailed("decoder-failed", error.message);
  if (error instanceof JobRefused && Object.hasOwn(FAILURES, error.reason)) {
    throw new PictureFailed(error.reason as FailureReason, error.message);
  }
  throw error;
}

/** A picture counts as held only while all its files are there: a cache may be emptied at any time. */
function heldPicture(id: string, { index, files }: Workshop): StoredPicture | null {
  const picture = index.picture(id);
  return picture?.files.every((file) => files.has(file)) === true ? picture : null;
}

const SUCCESS = { reason: null, detail: null, failures: 0, retryAt: 0 } as const;

function blankRow(address: string): AddressRow {
  return { address, picture: null, seen: 0, freshUntil: 0, validators: null, ...SUCCESS };
}

/** A failure that was only remembered, or a fetch that was put off, leaves the memory as it is. */
function rememberFailure(row: AddressRow, failure: Failure, now: number): Partial<AddressRow> {
  if (failure.reason === "postponed" || row.retryAt > now) return {};
  const failures = row.failures + 1;
  return { ...failure, failures, retryAt: retryAt(failure.reason, failures, now) };
}
