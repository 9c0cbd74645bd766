/** Estimates the requests and the time of a harvest. The size of the collection comes from a few probes or from the last run. */
import { quotesOf } from "../../client/index.ts";
import { ServerFault, ServiceUnavailable, WalkFailed } from "../../contract/errors.ts";
import type { Filter, GetQuotes } from "../../contract/window.ts";
import { countRecords, firstOverlap, GENEROUS_PAGE } from "../context.ts";
import { orNull } from "../optional.ts";
import { summarise } from "../answers.ts";
import { isTooDeep } from "../pages.ts";
import { filtersOf } from "../selection.ts";
import { asksCurated, CURATED_SHARE } from "./reading.ts";
import { withHost, type HarvestOptions, type Host } from "./session.ts";

/** Relative error of the estimated size. */
const TOLERANCE = 0.05;
/** Probes of one list. */
const MAX_PROBES = 24;

/** For each list: one request past its end, and one for its last page again (docs/walk.md, section 5). */
const END_REQUESTS = 2;
/** For lists of several pages: the longest quotes by length, and the first page again. */
const AUDIT_REQUESTS = 2;

/** Estimates what the next harvest costs. Sends few requests, which count in the budget of the ledger. */
export async function estimate(options: HarvestOptions) {
  try {
    return await withHost(options, estimateIn);
  } catch (error) {
    // Unlike a harvest, an estimate has no progress to resume.
    throw error instanceof ServerFault ? new ServiceUnavailable(error.message) : error;
  }
}

async function estimateIn(host: Host) {
  const { settings, client, ledger, previous, knownCurated, knownPageSize } = host;
  const { walk, selection } = settings;
  const complete = previous?.fact("complete");
  const known =
    host.isSameSource && host.isSameSelection && complete !== undefined ? previous : null;
  const filters = filtersOf(selection);
  const began = performance.now();
  const limit = walk.pageSize ?? GENEROUS_PAGE;
  // A list that ends on its first page does not show the page size.
  let pageSize = known === null ? 1 : Math.max(1, Math.min(limit, knownPageSize));
  let [found, spent] = [0, 0];
  // Where the last run knows the size, one request finds the page size.
  for (const filter of known === null ? filters : filters.slice(0, 1)) {
    const list = await measureList(
      filter,
      quotesOf(client, undefined, host.api),
      limit,
      walk.maxQuotes,
      known !== null,
    );
    found += list.quotes;
    spent += list.probes;
    pageSize = list.isWhole ? Math.max(pageSize, list.pageSize) : list.pageSize;
  }
  const requestMs = (performance.now() - began) / Math.max(1, spent);
  const quotes = known?.count() ?? found;
  const step = Math.max(1, pageSize - firstOverlap(walk.concurrency));
  const lists = filters.length;
  const isLarge = (records: number): boolean => records > pageSize * lists;
  const requestsFor = (records: number): number =>
    (isLarge(records) ? Math.ceil(records / step) + lists - 1 : lists) + END_REQUESTS * lists;
  const curated = knownCurated?.quotes ?? quotes * CURATED_SHARE;
  // One more for each list, where its first page does not show whether the filter has an effect.
  const curatedRequests = asksCurated(host) ? requestsFor(curated) + lists : 0;
  const tagRequests = Math.ceil(Math.max(1, known?.tagList().length ?? 1) / pageSize);
  const walkRequests =
    requestsFor(quotes) + (isLarge(quotes) ? AUDIT_REQUESTS : 0) + tagRequests + curatedRequests;
  // The number of slices depends on the lengths of the quotes, so the last run is the estimate.
  const isSliced = known !== null && complete?.label === "complete:sliced";
  const requests = isSliced ? Math.max(walkRequests, complete.requests) : walkRequests;
  const quota = ledger.quota?.limit ?? null;
  return {
    quotes,
    pageSize,
    /** All requests: of a walk in a stable order, or of the last run in slices; evidence, tag list, curated quotes. */
    requests,
    curatedRequests,
    /** Mean milliseconds of a request. */
    requestMs,
    /** Requests of this estimate. */
    spent,
    from: known === null ? "probes" : "last run",
    /** From refusals and headers of the service; null when unknown. */
    quota: ledger.quota,
    /** Share of the quota that the requests take, from 0; null when unknown. */
    quotaShare: quota === null ? null : requests / Math.max(1, quota),
    /** Runs that the walk needs within `--max-requests`. */
    nights: walk.maxRequests === null ? 1 : Math.ceil(requests / walk.maxRequests),
    /** Without waits. */
    minutes: (requests * requestMs) / walk.concurrency / 60_000,
    /** ISO 8601; null when requests may be sent now. */
    notBefore: ledger.notBefore > settings.now() ? new Date(ledger.notBefore).toISOString() : null,
  };
}

/**
 * The size of a list: offsets grow fourfold until a page is empty, then a binary search finds the end.
 *
 * @param maxQuotes a larger `count` of the service is ignored
 * @param pageOnly whether only the page size is needed
 */
async function measureList(
  filter: Filter,
  get: GetQuotes,
  limit: number,
  maxQuotes: number,
  pageOnly: boolean,
) {
  const first = await get(filter, 0, limit);
  const pageSize = countRecords(first);
  const isWhole = first.next === null;
  if (isWhole || pageOnly) return { quotes: pageSize, pageSize, isWhole, probes: 1 };
  const { count } = first;
  if (count !== null && count > pageSize && count <= maxQuotes)
    return { quotes: count, pageSize, isWhole, probes: 1 };
  // Invariant: the list has quotes before `low`, and none at `high`; Infinity when unknown.
  let low = pageSize;
  let high = Infinity;
  let probes = 1;
  let last = summarise(first);
  while (probes < MAX_PROBES && high - low > Math.max(pageSize, low * TOLERANCE)) {
    const at = high === Infinity ? low * 4 : Math.floor((low + high) / 2);
    // Some services refuse offsets past the end.
    const page = await orNull(get(filter, at, limit), isTooDeep);
    probes++;
    if (page === null || countRecords(page) === 0) high = at;
    else if (summarise(page) === last) {
      throw new WalkFailed(
        `Cannot estimate: the service sends the same quotes at offset ${at} as before it`,
      );
    } else [low, last] = [at + countRecords(page), summarise(page)];
    if (page?.next === null && low > at) high = low;
  }
  const quotes = high === Infinity ? low : Math.floor((low + high) / 2);
  return { quotes, pageSize, isWhole, probes };
}
