/** What one harvest holds open: the lock, the working database, the run, the ledger and the client; closed in reverse. */
import { Client } from "../../client/client.ts";
import { RUNTIME } from "../../client/connection.ts";
import { ConfigurationError, PublishRefused } from "../../contract/errors.ts";
import type {
  CuratedFact,
  HarvestFact,
  ReportHarvest,
  SourceFact,
} from "../../contract/results.ts";
import type { Selection } from "../../contract/window.ts";
import { contains } from "../../harvest/selection.ts";
import { Optional } from "../../harvest/optional.ts";
import type { Settings } from "../../settings/settings.ts";
import { takeLock } from "../../snapshot/lock.ts";
import { openIntact, openIntactWork } from "../../snapshot/recover.ts";
import { openLedger } from "../../snapshot/work/ledger.ts";
import { Run } from "../../snapshot/work/run.ts";

export interface HarvestHow {
  /** Aborted to stop: what was read is kept. */
  readonly signal: AbortSignal;
  /** Address of the embedded service, where the settings name no other. */
  readonly embeddedUrl?: string | undefined;
}

/** The embedded service's name in the state: its port is another each time. */
const EMBEDDED = "embedded";

/** A service that may be asked, within what the ledger allows. */
export type Host = ReturnType<typeof openHost>;

/** Does `work` with the state locked and sound, and the service within reach. */
export async function withHost<T>(
  settings: Settings,
  report: ReportHarvest,
  how: HarvestHow,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  using host = openHost(settings, report, how);
  try {
    return await work(host);
  } finally {
    // A full disk may make the work and this fail: the last error alone is thrown.
    await host.client.close().finally(() => host.ledger.close());
  }
}

function openHost(settings: Settings, report: ReportHarvest, { signal, embeddedUrl }: HarvestHow) {
  const { stateDir, service, selection, walk, now } = settings;
  const baseUrl = service.baseUrl ?? embeddedUrl;
  if (baseUrl === undefined) throw new ConfigurationError("Cannot harvest: no service is named");
  const host = hostOf(settings);
  using opened = new DisposableStack();
  opened.use(takeLock(stateDir));
  const remarks: string[] = [];
  const work = opened.use(openIntactWork(stateDir, remarks));
  const previous = opened.use(openIntact(stateDir, work, now(), remarks));
  for (const text of remarks) report({ kind: "remark", text });
  const ledger = openLedger(work, host, now);
  const runtime = { ...RUNTIME, now };
  const client = new Client({ ...walk, ...service, baseUrl, ledger, signal, report, runtime });
  const before = { requests: ledger.requests, waitedMs: ledger.waitedMs };
  const source = previous?.fact<SourceFact>("source");
  const selected = previous?.fact<Selection>("selection");
  const isSameSource = source === undefined || source.host === host;
  const isWider = selected === undefined || contains(selection, selected);
  const isSameSelection = selected !== undefined && isWider && contains(selected, selection);
  const toClose = opened.move();
  return {
    ...{ settings, signal, report, work, ledger, client, remarks },
    /** The service's name in the state. */
    host,
    /** What is published now. */
    previous,
    /** Whether that came from the same service: only then is it compared. */
    isSameSource,
    /** Whether it asked for the same quotes. */
    isSameSelection,
    /** The same, where a part of this harvest may be added to it; else null. */
    base: isSameSource && isWider ? previous : null,
    /** What it knows of the curated quotes of the same service and selection. */
    knownCurated:
      isSameSource && isSameSelection ? previous?.fact<CuratedFact>("curated") : undefined,
    /** Records that the service sends in one page, as far as an earlier harvest found out; 0 when none did. */
    knownPageSize: source?.pageSize ?? 0,
    /** Asks for what can be done without. */
    optional: new Optional(),
    /** What was done since it was opened. */
    counts: () => ({
      requests: ledger.requests - before.requests,
      waitedMs: ledger.waitedMs - before.waitedMs,
      ...client.counts,
    }),
    /** Requests that the budget still allows; Infinity where there is none. */
    requestsLeft: () => (walk.maxRequests ?? Infinity) - ledger.requests,
    [Symbol.dispose]: () => toClose.dispose(),
  };
}

/** A harvest under way. */
export interface Session extends Host {
  readonly run: Run;
}

/**
 * Begins a run, or resumes one; what it saves is kept, however it ends.
 *
 * @throws {PublishRefused} when the service's address was forgotten for once: the examples must not replace a collection
 */
export function openSession(host: Host): Session {
  const { settings, work, previous } = host;
  const source = previous?.fact<SourceFact>("source")?.host;
  const isForgotten = host.host === EMBEDDED && source !== undefined && source !== EMBEDDED;
  if (isForgotten && !settings.walk.allowShrink) {
    throw new PublishRefused(
      `Cannot replace the quotes of ${source} by the embedded examples: set QUOTES_BASE_URL, or use another --state`,
    );
  }
  const open = (): Run => new Run(work, host.host, settings.selection, settings.now());
  const run = open();
  const published = previous?.fact<HarvestFact>("harvest");
  const isSame = published?.started === new Date(run.started).toISOString();
  if (!isSame || published?.label === "partial") return { ...host, run };
  // A run that was killed after it had published all: what it read is of an earlier night.
  run.end("published");
  return { ...host, run: open() };
}

/** The service's name in the state: where it is, whatever the scheme. */
export function hostOf({ service }: Settings): string {
  if (service.baseUrl === null) return EMBEDDED;
  const { host, pathname } = new URL(service.baseUrl);
  return host + pathname.replace(/\/$/, "");
}
