/**
 * Makes thumbnails: each distinct picture, from the cache or its host, becomes files of the site.
 *
 * A picture that fails does not end the build, except under the policy `fail`: it is counted by its reason.
 */
import { join } from "node:path";
import { eachOf } from "../util/work.ts";
import { PublishRefused } from "../contract/errors.ts";
import type { PicturePolicy } from "../contract/picture.ts";
import type { EncodedPicture } from "./encode.ts";
import {
  FAILURES,
  type FailureReason,
  isReason,
  NOT_OF_PICTURE,
  PictureFailed,
  retryAt,
} from "./failures.ts";
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
import { getOrCompute } from "../util/get-or-compute.ts";

export interface ThumbnailOptions extends FetchOptions {
  /** Such as `.commonplace/thumbnails`. */
  readonly cacheDir: string;
  /** Folder of the site for thumbnails alone, such as `dist/_pictures`. */
  readonly outDir: string;
  readonly policy: PicturePolicy;
  /** False to use the cache alone. Default true. */
  readonly network?: boolean;
  /** Receives the number of finished addresses after each. */
  readonly onProgress?: (done: number) => void;
  /** Concurrent addresses; default 8. */
  readonly fetches?: number;
  /** Concurrent encodings; default one per core, at most 4. */
  readonly lanes?: number;
}

export type PictureReport = Readonly<Awaited<ReturnType<typeof makeThumbnails>>>;

/** Failures that the report lists. */
const MOST_LISTED = 50;

/** How long the cache keeps a picture that no quote names: the quote may return. */
const KEEP_MS = 30 * 24 * 3_600_000;

/** Makes glibc return the memory of large pictures to the system. Drawing many small images would take a third longer. */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" };

const NO_FAILURE = { reason: null, detail: null, failures: 0, retryAt: 0 } as const;

/**
 * @param addresses of the service, unchecked, without duplicates
 * @returns also the number of `requests` to all hosts, and of files `removed` from the site
 * @throws {PublishRefused} under the policy `fail`, when an address has no thumbnail
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`, within a second; finished pictures stay in the cache
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
    made: 0,
    /** Taken from the cache: fresh, not modified (304), or the same bytes as before. */
    reused: 0,
    failed: 0,
    /** Failed pictures that keep their earlier thumbnail. */
    shownFromBefore: 0,
  };
  const reasons: Partial<Record<FailureReason, number>> = {};
  const failures: { address: string; reason: FailureReason; detail: string }[] = [];
  /** Size of the originals, less that of their AVIF files at 1×. */
  let bytesSaved = 0;
  const wanted = new Set<string>();
  /** Pictures that are being encoded, by id: two addresses may serve the same one. */
  const underWay = new Map<string, Promise<StoredPicture>>();
  /** Asked once, after the first process that died. */
  let control: Promise<boolean> | undefined;

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
  const kept = index.column<string>("SELECT id FROM pictures");
  const keptFiles = kept.flatMap((id) => readPicture(index, id)?.files ?? []);
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

  /** Finds or makes the picture of an address, and stores the result. @returns null for a failure without an earlier picture */
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
      // The message may quote a redirect of the host.
      const detail = redact(error.message);
      const earlier = FAILURES[reason].keepsEarlier ? held : null;
      // A failure without a request must not extend the wait.
      const isKnown = NOT_OF_PICTURE.has(reason) || row.retryAt > started;
      const inRow = row.failures + 1;
      const retry = retryAt(reason, inRow, started);
      const memory = isKnown ? {} : { reason, detail, failures: inRow, retryAt: retry };
      saveAddress(index, { ...row, ...memory, picture: earlier?.id ?? null, seen: started });
      counts.failed++;
      if (earlier !== null) counts.shownFromBefore++;
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      if (failures.length < MOST_LISTED) {
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
    return { ...(await encodeOnce(bytes ?? new Uint8Array())), changes };
  }

  /** Encodes a picture, unless another address served the same bytes. */
  async function encodeOnce(original: Uint8Array): Promise<Obtained> {
    const id = digest(original);
    const known = heldPicture(id);
    if (known?.recipe === RECIPE) return { how: "reused", picture: known };
    const how = underWay.has(id) ? "reused" : "made";
    const picture = getOrCompute(underWay, id, () =>
      make(id, original).finally(() => underWay.delete(id)),
    );
    return { how, picture: await picture };
  }

  async function make(id: string, original: Uint8Array): Promise<StoredPicture> {
    if (control !== undefined && !(await control)) {
      throw new PictureFailed("decoder-unavailable", "its process cannot start");
    }
    const { variants, ...size } = await encoder.run(original).catch(async (error: unknown) => {
      if (!(error instanceof JobFailed)) throw error;
      const { reason, message } = error;
      if (reason === null) {
        throw new PictureFailed(
          (await decoderRuns()) ? "decoder-failed" : "decoder-unavailable",
          message,
        );
      }
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

  /** Whether a process of the decoder can do a job: it must refuse an empty file with a reason. */
  function decoderRuns(): Promise<boolean> {
    return (control ??= encoder.run(new Uint8Array()).then(
      () => true,
      (error: unknown) => error instanceof JobFailed && error.reason !== null,
    ));
  }

  /** A cached picture; null where one of its files is missing or damaged. */
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

/** An address without credentials and query, which may be secret, on one line. */
function printableAddress(address: string): string {
  const url = URL.parse(address);
  const plain = url === null ? address : `${url.protocol}//${url.host}${url.pathname}`;
  return plain.replace(/[\s\p{C}]+/gu, " ").slice(0, 200);
}
