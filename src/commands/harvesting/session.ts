/**
 * What one harvest holds open: the lock, the working database, the run, the ledger and the client; closed in reverse.
 */
import { Client } from "../../client/client.ts";
import { RUNTIME } from "../../client/connection.ts";
import { ConfigurationError, PublishRefused } from "../../contract/errors.ts";
import type { HarvestFact, ReportHarvest, SourceFact } from "../../contract/results.ts";
import type { PublishedSnapshot } from "../../snapshot/index.ts";
import type { Selection } from "../../contract/window.ts";
import { contains } from "../../harvest/selection.ts";
import { Optional } from "../../harvest/optional.ts";
import type { Settings } from "../../settings/settings.ts";
import { takeLock } from "../../snapshot/lock.ts";
import { openIntact, openIntactWork } from "../../snapshot/recover.ts";
import { openLedger, type OpenLedger } from "../../snapshot/work/ledger.ts";
import { Run, type RunCounts } from "../../snapshot/work/run.ts";
import type { Database } from "../../sqlite/database.ts";

export interface HarvestHow {
  /** Aborted to stop: what was read is kept. */
  readonly signal: AbortSignal;
  /** Address of the embedded service, where the settings name no other. */
  readonly embeddedUrl?: string | undefined;
}

/** A service that may be asked, within what the ledger allows. */
export interface Host {
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly report: ReportHarvest;
  /** The service's name in the state. */
  readonly host: string;
  readonly work: Database;
  readonly ledger: OpenLedger;
  readonly client: Client;
  /** What is published now. */
  readonly previous: PublishedSnapshot | null;
  /** What was done since it was opened. */
  readonly counts: () => RunCounts;
  readonly remarks: string[];
  /** Asks for what can be done without. */
  readonly optional: Optional;
}

/** A harvest under way. */
export interface Session extends Host {
  readonly run: Run;
}

/** The embedded service's name in the state: its port is another each time. */
const EMBEDDED = "embedded";

/** Does `work` with a run begun or resumed; what it has saved is kept, however it ends. */
export function withSession<T>(
  settings: Settings,
  report: ReportHarvest,
  how: HarvestHow,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { selection, walk } = settings;
  return withHost(settings, report, how, async (host) => {
    if (!walk.allowShrink) refuseTheExamples(host);
    const open = (): Run => Run.open(host.work, host.host, selection, settings.now());
    let run = open();
    const published = host.previous?.fact<HarvestFact>("harvest");
    const isSame = published?.started === new Date(run.started).toISOString();
    // A run that was killed after it had published all: what it read is of an earlier night.
    if (isSame && published?.label !== "partial") {
      run.end("published");
      run = open();
    }
    try {
      return await work({ ...host, run });
    } finally {
      run.saveCounts(host.counts());
    }
  });
}

/** Does `work` with the state locked and sound, and the service within reach. */
export async function withHost<T>(
  settings: Settings,
  report: ReportHarvest,
  { signal, embeddedUrl }: HarvestHow,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const { stateDir, service, walk, now } = settings;
  const baseUrl = service.baseUrl ?? embeddedUrl;
  if (baseUrl === undefined) throw new ConfigurationError("Cannot harvest: no service is named");
  const host = hostOf(settings);
  using _lock = takeLock(stateDir);
  const { value: database, remarks: repaired } = openIntactWork(stateDir);
  using _database = database;
  const { value: previous, remarks: recovered } = openIntact(stateDir, database, now());
  using _previous = previous;
  const remarks = [...repaired, ...recovered];
  for (const text of remarks) report({ kind: "remark", text });
  const ledger = openLedger(database, host, now);
  const runtime = { ...RUNTIME, now };
  const client = new Client({ ...walk, ...service, baseUrl, ledger, signal, report, runtime });
  const before = { requests: ledger.requests, waitedMs: ledger.waitedMs };
  try {
    return await work({
      ...{ settings, signal, report, host, ledger, client, remarks, previous },
      work: database,
      counts: () => ({
        requests: ledger.requests - before.requests,
        waitedMs: ledger.waitedMs - before.waitedMs,
        ...client.counts,
      }),
      optional: new Optional(),
    });
  } finally {
    await client.close().finally(() => ledger.close());
  }
}

/** The service's name in the state: where it is, whatever the scheme. */
export function hostOf({ service }: Settings): string {
  if (service.baseUrl === null) return EMBEDDED;
  const { host, pathname } = new URL(service.baseUrl);
  return host + pathname.replace(/\/$/, "");
}

/** The service's address forgotten for once must not put the examples in the place of a real collection. */
function refuseTheExamples({ host, previous }: Host): void {
  const source = previous?.fact<SourceFact>("source")?.host;
  if (host !== EMBEDDED || source === undefined || source === EMBEDDED) return;
  throw new PublishRefused(
    `Cannot replace the quotes of ${source} by the embedded examples: set QUOTES_BASE_URL, or use another --state`,
  );
}

/** Requests that the budget still allows; Infinity where there is none. */
export function requestsLeft({ settings, ledger }: Host): number {
  return (settings.walk.maxRequests ?? Infinity) - ledger.requests;
}

/** Records that the service sends in one page, as far as an earlier harvest found out; 0 when none did. */
export function knownPageSize({ previous }: Host): number {
  return previous?.fact<SourceFact>("source")?.pageSize ?? 0;
}

/** Whether what is published came from the same service: only then is it compared. */
export function sameSource({ previous, host }: Host): boolean {
  const source = previous?.fact<SourceFact>("source")?.host;
  return source === undefined || source === host;
}

/** Whether what is published asked for the same quotes. */
export function sameSelection({ previous, settings }: Host): boolean {
  const before = previous?.fact<Selection>("selection");
  const { selection } = settings;
  return before !== undefined && contains(selection, before) && contains(before, selection);
}

/** What is published, where a part of this harvest may be added to it; else null. */
export function baseOf(session: Host): PublishedSnapshot | null {
  const { previous, settings } = session;
  const before = previous?.fact<Selection>("selection");
  const fits = before === undefined || contains(settings.selection, before);
  return previous !== null && sameSource(session) && fits ? previous : null;
}
