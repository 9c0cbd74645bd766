/**
 * `astro-commonplace/harvest`: a proved copy of a collection for programs that want no site. Nothing here loads Astro.
 *
 * Both functions use a state folder, as the commands do, which may use it too.
 */
import { setImmediate } from "node:timers/promises";
import type { HarvestResult, ReportHarvest } from "../contract/results.ts";
import { DiskError } from "../contract/errors.ts";
import { toWire, type WireQuote } from "../contract/quote.ts";
import { readSettings } from "../settings/settings.ts";
import type { Environment } from "../settings/sources.ts";
import { isIntact, requirePublished, snapshotPath } from "../snapshot/index.ts";
import { harvest as harvestWith } from "./index.ts";

/** What a harvest asks of whom, and where it keeps the answers. Options that are left out have the defaults of the command. */
export interface HarvestOptions {
  /** Address of the quotes service, without credentials. */
  readonly baseUrl: string;
  /** Folder of the snapshots and of the work; it is made if it is missing. */
  readonly stateDir: string;
  /** Sent as `Authorization: Token …`. Over `http://` it is sent to this machine only. */
  readonly token?: string;
  /** Most requests of this run; the next run continues. */
  readonly maxRequests?: number;
  /** Longest wait for the service in all, in seconds. */
  readonly maxWaitSeconds?: number;
  /** Quotes in one request. */
  readonly pageSize?: number;
  /** Requests at the same time. */
  readonly concurrency?: number;
  /** Codes of languages, and tags: default all. */
  readonly languages?: readonly string[];
  readonly tags?: readonly string[];
  /** Publishes although many quotes would be removed. */
  readonly allowShrink?: boolean;
  /** Publishes an incomplete first harvest. */
  readonly allowPartial?: boolean;
  /** Stops the run, which saves its progress. */
  readonly signal?: AbortSignal;
  /** Receives what happens. */
  readonly report?: ReportHarvest;
}

/**
 * Reads a service and publishes its quotes as a snapshot of the state folder. After a failure the last snapshot stays.
 *
 * @returns with a label of what the harvest proves, and an `exitStatus` of 75 where a later run must continue
 * @throws {ConfigurationError} when an option is not understood, or the service refuses the credential
 * @throws {StoppedEarly} when another run uses the folder
 * @throws {PublishRefused} when too many quotes would be removed
 * @throws {ServiceUnavailable} when the service gave no usable answers
 */
export async function harvest(options: HarvestOptions): Promise<HarvestResult> {
  const { signal = new AbortController().signal, report, allowShrink, allowPartial } = options;
  const switches = { allowShrink: allowShrink ?? false, allowPartial: allowPartial ?? false };
  const settings = readSettings(switches, variablesOf(options));
  return await harvestWith({ settings, signal, ...(report !== undefined && { report }) });
}

/** The options as variables, so that they are checked and named as those are; and the proxies of the environment. */
function variablesOf(options: HarvestOptions): Environment {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy } = process.env;
  const text = (value: number | undefined): string => (value === undefined ? "" : String(value));
  return {
    ...{ HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy },
    QUOTES_BASE_URL: options.baseUrl,
    STATE_DIR: options.stateDir,
    QUOTES_TOKEN: options.token,
    QUOTES_MAX_REQUESTS: text(options.maxRequests),
    QUOTES_MAX_WAIT: text(options.maxWaitSeconds),
    QUOTES_PAGE_SIZE: text(options.pageSize),
    QUOTES_CONCURRENCY: text(options.concurrency),
    QUOTES_LANGUAGES: options.languages?.join(","),
    QUOTES_TAGS: options.tags?.join(","),
  };
}

/** Quotes between which the process has time for other work. */
const BATCH = 1_000;

/**
 * The quotes of the published snapshot in the contract's field names, ordered by `pk`. Corrections of a site are not applied. A harvest
 * that ends meanwhile does not change what is read.
 *
 * @throws {NothingHarvested} when the folder has no snapshot
 * @throws {DiskError} when the snapshot is damaged
 */
export async function* quotes({
  stateDir,
}: Pick<HarvestOptions, "stateDir">): AsyncGenerator<WireQuote, void, undefined> {
  using snapshot = requirePublished(stateDir);
  if (!isIntact(stateDir, snapshot.id)) {
    const path = snapshotPath(stateDir, snapshot.id);
    throw new DiskError(`Cannot read ${path}: damaged; harvest again`);
  }
  let read = 0;
  for (const quote of snapshot.all()) {
    yield toWire(quote);
    if (++read % BATCH === 0) await setImmediate();
  }
}

export type { HarvestEvent, HarvestResult, ReportHarvest } from "../contract/results.ts";
export type { WireQuote } from "../contract/quote.ts";
