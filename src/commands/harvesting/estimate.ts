/**
 * What the next harvest would cost, before it is spent: the size of the collection by a few probes or from the last run,
 * and what is known of the quota.
 */
import { quotesOf } from "../../client/quotes.ts";
import type { Filter, GetQuotes } from "../../contract/window.ts";
import { firstOverlap, GENEROUS_PAGE } from "../../harvest/context.ts";
import { countRecords } from "../../harvest/pages.ts";
import { filtersOf } from "../../harvest/selection.ts";
import type { Settings } from "../../settings/settings.ts";
import { asksCurated, CURATED_SHARE } from "./reading.ts";
import { withHost, type HarvestHow, type Host } from "./session.ts";

export type HarvestEstimate = Awaited<ReturnType<typeof estimateIn>>;

/** Share of the size by which the estimate may be wrong. */
const TOLERANCE = 0.05;
/** Probes for one list at most. */
const MOST_PROBES = 24;

/** Asks as little as it can, and as any other request within the budget of the ledger. */
export function estimateHarvest(settings: Settings, how: HarvestHow) {
  return withHost(settings, () => undefined, how, estimateIn);
}

async function estimateIn(host: Host) {
  const { settings, client, ledger, previous, knownCurated } = host;
  const { walk, selection } = settings;
  const isKnown =
    host.isSameSource && host.isSameSelection && previous?.fact("complete") !== undefined;
  const filters = filtersOf(selection);
  const began = performance.now();
  const lists: Awaited<ReturnType<typeof measureList>>[] = [];
  // The size is known from the last run; one request finds the size of a page.
  for (const filter of isKnown ? filters.slice(0, 1) : filters) {
    lists.push(
      await measureList(filter, quotesOf(client), walk.pageSize ?? GENEROUS_PAGE, isKnown),
    );
  }
  const spent = lists.reduce((sum, { probes }) => sum + probes, 0);
  const requestMs = (performance.now() - began) / Math.max(1, spent);
  const pageSize = Math.max(1, ...lists.map((list) => list.pageSize));
  const quotes = isKnown
    ? (previous?.count() ?? 0)
    : lists.reduce((sum, { quotes }) => sum + quotes, 0);
  const requestsFor = (records: number): number => {
    const step = Math.max(1, pageSize - firstOverlap(walk.concurrency));
    return Math.max(filters.length, Math.ceil(records / step));
  };
  const curated = knownCurated?.quotes ?? quotes * CURATED_SHARE;
  // And one, where the first page does not show whether the filter does anything.
  const curatedRequests = asksCurated(host) ? requestsFor(curated) + filters.length : 0;
  const requests = requestsFor(quotes) + curatedRequests;
  const limit = ledger.quota?.limit ?? null;
  return {
    /** Quotes in all. */
    quotes,
    /** Records that the service sends in one page. */
    pageSize,
    /** Requests that a walk takes where the order is good, and the list of curated quotes after it. */
    requests,
    /** Of them, for the list of curated quotes. */
    curatedRequests,
    /** Milliseconds that one request took, on average. */
    requestMs,
    /** Requests spent on finding out. */
    spent,
    from: isKnown ? "last run" : "probes",
    /** What the service's refusals and headers taught; null when nothing is known. */
    quota: ledger.quota,
    /** Share of that quota that the requests take, from 0; null when it is not known. */
    quotaShare: limit === null ? null : requests / Math.max(1, limit),
    /** Nights that the walk would be spread over, within `--max-requests`. */
    nights: walk.maxRequests === null ? 1 : Math.ceil(requests / walk.maxRequests),
    /** Minutes that the requests take, waits not counted. */
    minutes: (requests * requestMs) / walk.concurrency / 60_000,
    /** When the service may be asked again, ISO 8601; null when now. */
    notBefore: ledger.notBefore > settings.now() ? new Date(ledger.notBefore).toISOString() : null,
  };
}

/**
 * The size of a list. Offsets grow fourfold until nothing comes back, then are halved: a million quotes take some thirty
 * requests.
 *
 * @param pageOnly whether the page size is all that is asked
 */
async function measureList(filter: Filter, get: GetQuotes, limit: number, pageOnly: boolean) {
  const first = await get(filter, 0, limit);
  const pageSize = countRecords(first);
  if (first.next === null || pageOnly) return { quotes: pageSize, pageSize, probes: 1 };
  if (first.count !== null) return { quotes: first.count, pageSize, probes: 1 };
  // Invariant: quotes are before `low`; `high` is past the end, or unknown.
  let low = pageSize;
  let high = Infinity;
  let probes = 1;
  while (probes < MOST_PROBES && high - low > Math.max(pageSize, low * TOLERANCE)) {
    const at = high === Infinity ? low * 4 : Math.floor((low + high) / 2);
    const page = await get(filter, at, limit);
    probes++;
    if (countRecords(page) === 0) high = at;
    else low = at + countRecords(page);
    if (countRecords(page) > 0 && page.next === null) high = low;
  }
  const quotes = high === Infinity ? low : Math.floor((low + high) / 2);
  return { quotes, pageSize, probes };
}
