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
import { DEADLINE_MS, Origins } from "./fetch-picture.ts";
import { FileStore } from "./files.ts";
import { openAgents, type Resolver, WEB_PORTS } from "./guard.ts";
import { indexPath, PictureIndex } from "./picture-index.ts";
import { Pool } from "./pool.ts";
import type { Refusal } from "./answer.ts";
import { type PictureReport, Tally } from "./report.ts";
import { settle, type Workshop } from "./thumbnail.ts";

export interface ThumbnailOptions {
  /** Cache that is kept from run to run, such as `.commonplace/thumbnails`. */
  readonly cacheDir: string;
  /** Where the site's files go, such as `dist/_pictures`; nothing else may live in it. */
  readonly outDir: string;
  readonly policy: PicturePolicy;
  /** Origin of the quotes service, allowed wherever it lives; null for none. */
  readonly ownOrigin: string | null;
  /** Where that origin is really asked, when its name does not resolve; by default where it says. */
  readonly ownAddress?: string;
  /** Takes one request to the service's host from the budget; false when none may be sent. Default: no ceiling. */
  readonly mayRequest?: () => boolean;
  /** Called when the service's host asks for a pause. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** False to work from the cache alone. Default true. */
  readonly network?: boolean;
  /** Ends the run within a second; what was made stays in the cache. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called after each address with how many are done. */
  readonly onProgress?: (done: number) => void;
  /** Takes what is secret out of a text: hosts may echo it in headers. Default: nothing is. */
  readonly redact?: (text: string) => string;
  /** Pictures in flight; default 8. */
  readonly fetches?: number;
  /** Pictures encoded at a time; default one a core, 4 at most. */
  readonly lanes?: number;
  /** Ports besides the service's that may be asked; default 80 and 443. */
  readonly ports?: readonly number[];
  /** Default: the system's. */
  readonly resolve?: Resolver;
  /** Time for one picture in milliseconds; default 10,000. */
  readonly deadlineMs?: number;
}

/** How long the cache keeps what no quote names any more: a quote may come back. */
const KEEP_MS = 30 * 24 * 3_600_000;

/**
 * @param addresses each once; what the service sent, unchecked
 * @throws {PublishRefused} under the policy `fail`, when an address has nothing to show
 * @throws {DiskError} when the cache or the output cannot be written
 * @throws the reason of `signal`
 */
export async function makeThumbnails(
  addresses: Iterable<string>,
  options: ThumbnailOptions,
): Promise<PictureReport> {
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const now = options.now ?? Date.now;
  const started = now();
  const tally = new Tally();
  const index = new PictureIndex(indexPath(options.cacheDir));
  const files = new FileStore(join(options.cacheDir, "files"));
  const encoder = new Pool<Uint8Array, EncodedPicture>({
    entry: new URL("./encode-child.ts", import.meta.url),
    lanes: options.lanes,
    jobTimeoutMs: 15_000,
  });
  const agents = openAgents(options.resolve);
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
      agents,
      guard: { ownOrigin: options.ownOrigin, ports: options.ports ?? WEB_PORTS },
      origins: new Origins(),
      ownAddress: options.ownAddress,
      mayRequest: options.mayRequest ?? (() => true),
      onRefusal: options.onRefusal ?? (() => undefined),
      now,
      signal,
      onRequest: () => tally.request(),
      redact: options.redact ?? ((text) => text),
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    },
  };
  const end = (): void => void encoder.close();
  signal.addEventListener("abort", end, { once: true });
  try {
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
  } finally {
    signal.removeEventListener("abort", end);
    await encoder.close();
    index.close();
    await agents.close();
  }
}

function refuseMissing({ failed, shownFromBefore, failures }: PictureReport): void {
  const missing = failed - shownFromBefore;
  if (missing === 0) return;
  const named = failures
    .slice(0, 5)
    .map(({ address, reason, detail }) => `${address} (${reason}: ${detail})`);
  throw new PublishRefused(`Cannot show ${missing} pictures: ${named.join("; ")}`);
}
