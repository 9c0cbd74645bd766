/** What the next harvest would cost, from a few probes or from the last run, and what is known of the quota. */
import { quotesOf } from "../../client/quotes.ts";
import type { SourceFact } from "../../contract/harvest-result.ts";
import type { LearnedQuota } from "../../contract/ledger.ts";
import type { Selection } from "../../contract/window.ts";
import { firstOverlap, GENEROUS_PAGE } from "../../harvest/context.ts";
import { estimate, type Estimate } from "../../harvest/estimate.ts";
import type { Settings } from "../../settings/settings.ts";
import { asksCurated, knownCurated } from "./curation.ts";
import { sameSource, withHost, type Host, type HarvestHow } from "./session.ts";

export interface HarvestEstimate extends Estimate {
  /** What the service's refusals and headers taught; null when nothing is known. */
  readonly quota: LearnedQuota | null;
  /** Share of that quota that the requests take, from 0; null when it is not known. */
  readonly quotaShare: number | null;
  /** Nights that the walk would be spread over, within `--max-requests`. */
  readonly nights: number;
  /** Minutes that the requests take, waits not counted. */
  readonly minutes: number;
  /** When the service may be asked again, ISO 8601; null when now. */
  readonly notBefore: string | null;
}

/** Asks as little as it can, and as any other request within the budget of the ledger. */
export function estimateHarvest(settings: Settings, how: HarvestHow): Promise<HarvestEstimate> {
  return withHost(settings, () => undefined, how, estimateIn);
}

async function estimateIn(host: Host): Promise<HarvestEstimate> {
  const { settings, client, ledger, previous } = host;
  const { walk, selection } = settings;
  const same =
    sameSource(host) &&
    previous?.fact("complete") !== undefined &&
    previous.fact<SourceFact>("source")?.host === host.host &&
    JSON.stringify(previous.fact<Selection>("selection")) === JSON.stringify(selection);
  const found = await estimate({
    get: quotesOf(client),
    selection,
    pageSize: walk.pageSize ?? GENEROUS_PAGE,
    overlap: firstOverlap(walk.concurrency),
    lastRun: same ? previous.count() : null,
    asksCurated: asksCurated(host),
    lastCurated: knownCurated(host)?.quotes ?? null,
    now: () => performance.now(),
  });
  const limit = ledger.quota?.limit ?? null;
  return {
    ...found,
    quota: ledger.quota,
    quotaShare: limit === null ? null : found.requests / Math.max(1, limit),
    nights: walk.maxRequests === null ? 1 : Math.ceil(found.requests / walk.maxRequests),
    minutes: (found.requests * found.requestMs) / walk.concurrency / 60_000,
    notBefore: ledger.notBefore > settings.now() ? new Date(ledger.notBefore).toISOString() : null,
  };
}
