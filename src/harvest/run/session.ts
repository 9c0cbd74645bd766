/** Opens the resources of a harvest: the lock, the working database, the last snapshot, the ledger, the client, the run. */
import { Client, RUNTIME } from "../../client/index.ts";
import { SERVICE_API, type ServiceApi } from "../../client/service-api.ts";
import { ConfigurationError, PublishRefused } from "../../contract/errors.ts";
import { EMBEDDED, OWN, type SourceFact } from "../../contract/facts.ts";
import type { ReportHarvest } from "../../contract/results.ts";
import { decide, publishedBefore, type Rule, selectionChange, type Situation } from "../policy.ts";
import { contains } from "../selection.ts";
import { Optional } from "../optional.ts";
import type { Settings } from "../../settings/settings.ts";
import { openIntact, openIntactWork, openLedger, Run, takeLock } from "../../snapshot/index.ts";

export interface HarvestOptions {
  readonly settings: Settings;
  /** Receives what happens; default: ignored. */
  readonly report?: ReportHarvest;
  /** Stops the harvest, which saves its progress. */
  readonly signal: AbortSignal;
  /** How the service is asked; default: as the contract says. */
  readonly api?: ServiceApi;
  /** Address of the embedded service, where the settings name no service. */
  readonly embeddedUrl?: string | undefined;
  /** Remarks on the file that the embedded service serves, for the report. */
  readonly fileRemarks?: readonly string[] | undefined;
}

export type Host = ReturnType<typeof openHost>;

/** Calls `work` with the state locked and checked, and a client of the service; closes all afterwards. */
export async function withHost<T>(
  options: HarvestOptions,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  using host = openHost(options);
  try {
    return await work(host);
  } finally {
    // On a full disk both this and `work` may fail; only the last error is thrown.
    await host.client.close().finally(() => host.ledger.close());
  }
}

function openHost({
  settings,
  report = () => undefined,
  signal,
  embeddedUrl,
  fileRemarks = [],
  api = SERVICE_API,
}: HarvestOptions) {
  const { stateDir, service, selection, walk, now } = settings;
  const baseUrl = service.baseUrl ?? embeddedUrl;
  if (baseUrl === undefined) throw new ConfigurationError("Cannot harvest: no service is named");
  const host = serviceKey(settings);
  using opened = new DisposableStack();
  opened.use(takeLock(stateDir));
  const remarks: string[] = [];
  const work = opened.use(openIntactWork(stateDir, remarks));
  const previous = opened.use(openIntact(stateDir, work, now(), remarks));
  remarks.push(...fileRemarks);
  if (service.cutFrom !== null) {
    remarks.push(
      `QUOTES_BASE_URL is used as ${baseUrl}, without what follows: the paths below ${api.root}/ are added to it (given: ${service.cutFrom})`,
    );
  }
  for (const text of remarks) report({ kind: "remark", text });
  const ledger = openLedger(work, host, now);
  const runtime = { ...RUNTIME, now };
  const { proxies } = settings;
  const source = previous?.fact("source");
  const hasServed = source?.host === host;
  const client = new Client({
    ...{ ...walk, ...service, proxies, baseUrl, ledger, signal, report, runtime, hasServed },
  });
  const before = { requests: ledger.requests, waitedMs: ledger.waitedMs };
  const selected = previous?.fact("selection");
  const isSameSource = source === undefined || source.host === host;
  const change = selectionChange(selected, selection);
  const isSameSelection =
    selected !== undefined && change === "includes" && contains(selected, selection);
  const toClose = opened.move();
  return {
    ...{ settings, signal, report, work, ledger, client, api, remarks },
    /** The service in the state. */
    host,
    /** The published snapshot. */
    previous,
    /** The service that it comes from; undefined where it does not say. */
    source: source?.host,
    /** What is published, and how the selection compares with its own: they decide what may be published. */
    published: publishedBefore(previous, host, source?.host),
    selectionChange: change,
    /** Whether the published snapshot comes from the same service: only then is it compared. */
    isSameSource,
    /** Whether it has the same selection. */
    isSameSelection,
    /** The published snapshot, if quotes of this harvest may be added to it; else null. */
    base: isSameSource && change === "includes" ? previous : null,
    /** Its facts about curated quotes, if service and selection are the same. */
    knownCurated: isSameSource && isSameSelection ? previous?.fact("curated") : undefined,
    /** Records in one page of the service, from an earlier harvest; 0 when unknown. */
    knownPageSize: source?.pageSize ?? 0,
    optional: new Optional(),
    /** Requests, waits and retries of this session. */
    counts: () => ({
      requests: ledger.requests - before.requests,
      waitedMs: ledger.waitedMs - before.waitedMs,
      ...client.counts,
    }),
    /** Requests left in the budget; Infinity without a budget. */
    requestsLeft: () => (walk.maxRequests ?? Infinity) - ledger.requests,
    [Symbol.dispose]: () => toClose.dispose(),
  };
}

/** A harvest under way. */
export interface Session extends Host {
  readonly run: Run;
}

/**
 * Begins a run, or resumes one.
 *
 * @throws {PublishRefused} when `QUOTES_BASE_URL` or `QUOTES_DATA` was forgotten: the embedded quotes must not replace a collection
 */
export function openSession(host: Host): Session {
  const { settings, work, previous, source, isSameSource } = host;
  if (ruleFor(host, "complete").guards.includes("forgotten")) {
    throw new PublishRefused(
      `Cannot replace the quotes of ${source} by the embedded examples: set QUOTES_BASE_URL or QUOTES_DATA, or use another --state`,
    );
  }
  const open = (): Run => {
    const run = new Run(work, host.host, settings.selection, settings.now());
    if (isSameSource) run.publishedQuote = (id) => previous?.quote(id);
    return run;
  };
  const run = open();
  const published = previous?.fact("harvest");
  const isSame = published?.started === new Date(run.started).toISOString();
  if (!isSame || published?.label === "partial") return { ...host, run };
  // This run was killed after it had published its quotes, so a new one begins.
  run.end("published");
  return { ...host, run: open() };
}

/** What may happen with what a run has read. */
export function ruleFor(host: Host, read: Situation["read"]): Rule {
  const { published, selectionChange, settings } = host;
  const { allowPartial, allowShrink } = settings.walk;
  return decide({ published, selection: selectionChange, read, allowPartial }, allowShrink);
}

/** The fact `source` of a snapshot of this service. */
export function sourceFact({ settings, host }: Host, pageSize: number): SourceFact {
  const { baseUrl } = settings.service;
  return { host, pageSize, ...(baseUrl === null ? {} : { origin: new URL(baseUrl).origin }) };
}

/** The service in the state: host and path without the scheme. */
export function serviceKey({ service }: Settings): string {
  if (service.data !== null) return OWN;
  if (service.baseUrl === null) return EMBEDDED;
  const { host, pathname } = new URL(service.baseUrl);
  return host + pathname.replace(/\/$/, "");
}
