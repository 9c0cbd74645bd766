/**
 * What one harvest holds open: the lock, the working database, the run, the ledger and the client; closed in reverse.
 */
import { Client } from "../../client/client.ts";
import { ConfigurationError, PublishRefused } from "../../contract/errors.ts";
import type { ReportHarvest, SourceFact } from "../../contract/harvest-result.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";
import type { Settings } from "../../settings/settings.ts";
import { takeLock } from "../../snapshot/lock.ts";
import { openTrusted, openTrustedWork } from "../../snapshot/recover.ts";
import { openLedger, type OpenLedger } from "../../snapshot/work/ledger.ts";
import { Run, type RunCounts } from "../../snapshot/work/run.ts";
import type { Database } from "../../sqlite/database.ts";

export interface HarvestHow {
  /** Aborted to stop: what was read is kept. */
  readonly signal: AbortSignal;
  /** Address of the embedded service, where the settings name no other. */
  readonly embeddedUrl?: string | undefined;
}

export interface Session {
  readonly settings: Settings;
  readonly report: ReportHarvest;
  /** The service's name in the state. */
  readonly host: string;
  readonly work: Database;
  readonly run: Run;
  readonly ledger: OpenLedger;
  readonly client: Client;
  /** What is published now. */
  readonly previous: PublishedSnapshot | null;
  /** What this session did so far. */
  readonly counts: () => RunCounts;
  readonly remarks: string[];
}

/** The embedded service's name in the state: its port is another each time. */
const EMBEDDED = "embedded";

/** Requests that are counted in one write to the disk; a small budget is counted one by one. */
const LEDGER_BLOCK = 16;

export async function withSession<T>(
  settings: Settings,
  report: ReportHarvest,
  how: HarvestHow,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const lock = takeLock(settings.stateDir);
  try {
    const { value: database, remarks } = openTrustedWork(settings.stateDir);
    try {
      const published = openTrusted(settings.stateDir);
      const all = [...remarks, ...published.remarks];
      return await opened(settings, report, how, database, published.value, all, work);
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}

async function opened<T>(
  settings: Settings,
  report: ReportHarvest,
  { signal, embeddedUrl }: HarvestHow,
  work: Database,
  previous: PublishedSnapshot | null,
  remarks: string[],
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const baseUrl = settings.service.baseUrl ?? embeddedUrl;
  if (baseUrl === undefined) throw new ConfigurationError("Cannot harvest: no service is named");
  const host = settings.service.baseUrl === null ? EMBEDDED : new URL(baseUrl).host;
  if (!settings.walk.allowShrink) refuseTheExamples(host, previous);
  const { maxRequests, allowShrink } = settings.walk;
  const run = Run.open(work, host, settings.selection, Date.now(), allowShrink);
  const small = maxRequests === null ? LEDGER_BLOCK : Math.floor(maxRequests / 50);
  const ledger = openLedger(work, host, Date.now, Math.max(1, Math.min(LEDGER_BLOCK, small)));
  const before = { requests: ledger.requests, waitedMs: ledger.waitedMs };
  const client = new Client({
    ...settings.walk,
    ...settings.service,
    baseUrl,
    ledger,
    signal,
    report,
  });
  const counts = (): RunCounts => ({
    requests: ledger.requests - before.requests,
    waitedMs: ledger.waitedMs - before.waitedMs,
    ...client.counts,
  });
  for (const text of remarks) report({ kind: "remark", text });
  try {
    const session = {
      settings,
      report,
      host,
      work,
      run,
      ledger,
      client,
      previous,
      counts,
      remarks,
    };
    return await use(session);
  } finally {
    previous?.close();
    await client.close();
    run.saveCounts(counts());
    ledger.close();
  }
}

/** The service's address forgotten for once must not put the examples in the place of a real collection. */
function refuseTheExamples(host: string, previous: PublishedSnapshot | null): void {
  const source = previous?.fact<SourceFact>("source")?.host;
  if (host !== EMBEDDED || source === undefined || source === EMBEDDED) return;
  throw new PublishRefused(
    `Cannot replace the quotes of ${source} by the embedded examples: set QUOTES_BASE_URL, or use another --state`,
  );
}

/** Whether what is published came from the same service: only then is it compared and merged. */
export function sameSource({ previous, host }: Session): boolean {
  return previous?.fact<SourceFact>("source")?.host !== EMBEDDED || host === EMBEDDED;
}
