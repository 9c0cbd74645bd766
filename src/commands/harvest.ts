/**
 * Service → snapshot: joins the client, the walk and the store, and decides what may be published.
 *
 * A harvest that was cut short merges what it has into the last complete snapshot and removes nothing.
 */
import { Client } from "../client/client.ts";
import { quotesOf } from "../client/quotes.ts";
import { EXIT, StoppedEarly, UsageError } from "../contract/errors.ts";
import type {
  CollectionChange,
  HarvestFact,
  HarvestResult,
  ReportHarvest,
} from "../contract/harvest-result.ts";
import { BudgetSpent } from "../contract/ledger.ts";
import { WalkFailed } from "../contract/refused-answer.ts";
import type { PublishedSnapshot } from "../contract/snapshot.ts";
import { collect, GENEROUS_PAGE, type Collected } from "../harvest/collect.ts";
import type { Settings } from "../settings/settings.ts";
import { takeLock } from "../snapshot/lock.ts";
import { makeDraft } from "../snapshot/published/publish.ts";
import { openPublished } from "../snapshot/published/read.ts";
import { tidySnapshots } from "../snapshot/published/pointer.ts";
import { openLedger, type OpenLedger } from "../snapshot/work/ledger.ts";
import { Run, type RunCounts } from "../snapshot/work/run.ts";
import { openWork } from "../snapshot/work/work.ts";
import type { Database } from "../sqlite/database.ts";

export interface HarvestHow {
  /** Aborted to stop: what was read is kept. */
  readonly signal: AbortSignal;
  /** Address of the embedded service, where the settings name no other. */
  readonly embeddedUrl?: string | undefined;
}

/** The embedded service's name in the state: its port is another each time. */
const EMBEDDED = "embedded";

/**
 * Harvests what the settings select and publishes it as a snapshot.
 *
 * @throws {StoppedEarly} when another run holds the state
 * @throws {ServiceUnavailable} when the service gave nothing usable; the old snapshot stands
 * @throws {ConfigurationError} when it refuses who we say we are
 */
export async function harvest(
  settings: Settings,
  report: ReportHarvest,
  { signal, embeddedUrl }: HarvestHow,
): Promise<HarvestResult> {
  const baseUrl = settings.service.baseUrl ?? embeddedUrl;
  if (baseUrl === undefined) throw new UsageError("Cannot harvest: no service is named");
  const host = settings.service.baseUrl === null ? EMBEDDED : new URL(baseUrl).host;
  const lock = takeLock(settings.stateDir);
  try {
    tidySnapshots(settings.stateDir);
    const work = openWork(settings.stateDir);
    try {
      return await new Harvest(settings, report, signal, work, baseUrl, host).run();
    } finally {
      work.close();
    }
  } finally {
    lock.release();
  }
}

class Harvest {
  readonly #settings: Settings;
  readonly #report: ReportHarvest;
  readonly #work: Database;
  readonly #host: string;
  readonly #run: Run;
  readonly #ledger: OpenLedger;
  readonly #client: Client;
  readonly #requestsBefore: number;
  readonly #waitedBefore: number;

  constructor(
    settings: Settings,
    report: ReportHarvest,
    signal: AbortSignal,
    work: Database,
    baseUrl: string,
    host: string,
  ) {
    const { maxRequests } = settings.walk;
    this.#settings = settings;
    this.#report = report;
    this.#work = work;
    this.#host = host;
    this.#run = Run.open(work, host, settings.selection, Date.now());
    const block =
      maxRequests === null ? 16 : Math.max(1, Math.min(16, Math.floor(maxRequests / 50)));
    this.#ledger = openLedger(work, host, Date.now, block);
    this.#requestsBefore = this.#ledger.requests;
    this.#waitedBefore = this.#ledger.waitedMs;
    this.#client = new Client({
      ...settings.walk,
      baseUrl,
      token: settings.service.token,
      tokenScheme: settings.service.tokenScheme,
      ledger: this.#ledger,
      signal,
      report,
    });
  }

  async run(): Promise<HarvestResult> {
    const previous = openPublished(this.#settings.stateDir);
    try {
      const collected = await this.#collect(previous);
      return this.#publish(collected, previous, null);
    } catch (error) {
      if (error instanceof WalkFailed) this.#run.end("failed");
      if (!(error instanceof StoppedEarly)) throw error;
      return this.#partial(error, previous);
    } finally {
      previous?.close();
      this.#run.saveCounts(this.#counts());
      this.#ledger.close();
      await this.#client.close();
    }
  }

  #collect(previous: PublishedSnapshot | null): Promise<Collected> {
    const { walk, selection } = this.#settings;
    return collect({
      get: quotesOf(this.#client),
      store: this.#run,
      pageSize: walk.pageSize ?? GENEROUS_PAGE,
      concurrency: walk.concurrency,
      expected: previous?.count() ?? null,
      selection,
      report: this.#report,
      now: Date.now,
    });
  }

  #partial(stop: StoppedEarly, previous: PublishedSnapshot | null): HarvestResult {
    const complete = previous?.fact("complete") !== undefined;
    const collected: Collected = {
      label: "partial",
      assumption: "none: the walk was cut short",
      duplicates: 0,
      repaired: 0,
    };
    const mayPublish = complete || this.#settings.walk.allowPartial;
    if (mayPublish && this.#run.quotesSeen > 0) return this.#publish(collected, previous, stop);
    return this.#result(this.#fact(collected, 0), {
      snapshot: previous?.id ?? null,
      published: false,
      quotes: previous?.count() ?? 0,
      languages: languagesOf(previous),
      change: { added: 0, changed: 0, removed: 0, deselected: 0 },
      stop,
      exitStatus: complete ? EXIT.done : EXIT.stopped,
    });
  }

  #publish(
    collected: Collected,
    previous: PublishedSnapshot | null,
    stop: StoppedEarly | null,
  ): HarvestResult {
    this.#report({ kind: "phase", phase: "publish" });
    const complete = stop === null;
    const draft = makeDraft(
      this.#work,
      this.#settings.stateDir,
      previous?.path ?? null,
      complete ? "remove" : "keep",
    );
    const fact = this.#fact(collected, draft.change.removed);
    const lastComplete = complete ? fact : previous?.fact<HarvestFact>("complete");
    const snapshot = draft.publish(
      {
        harvest: fact,
        ...(lastComplete === undefined ? {} : { complete: lastComplete }),
        source: { host: this.#host },
        selection: this.#settings.selection,
      },
      Date.now(),
    );
    if (complete) this.#run.end("published");
    return this.#result(fact, {
      snapshot,
      published: true,
      quotes: draft.quotes,
      languages: draft.languages,
      change: draft.change,
      stop,
      exitStatus: EXIT.done,
    });
  }

  #fact(collected: Collected, removed: number): HarvestFact {
    return {
      label: collected.label,
      assumption: collected.assumption,
      started: new Date(this.#run.started).toISOString(),
      finished: new Date().toISOString(),
      ...this.#run.saveCounts(this.#counts()),
      duplicates: collected.duplicates,
      repaired: collected.repaired,
      removed,
      quarantined: this.#run.quarantined(0).total,
    };
  }

  #counts(): RunCounts {
    return {
      requests: this.#ledger.requests - this.#requestsBefore,
      waitedMs: this.#ledger.waitedMs - this.#waitedBefore,
      ...this.#client.counts,
    };
  }

  #result(
    fact: HarvestFact,
    outcome: {
      readonly snapshot: string | null;
      readonly published: boolean;
      readonly quotes: number;
      readonly languages: Readonly<Record<string, number>>;
      readonly change: CollectionChange;
      readonly stop: StoppedEarly | null;
      readonly exitStatus: number;
    },
  ): HarvestResult {
    const { stop, ...rest } = outcome;
    const resumeAt = stop instanceof BudgetSpent ? stop.resumeAt : null;
    return {
      ...rest,
      harvest: fact,
      stopped: stop?.message ?? null,
      resumeAt: resumeAt === null ? null : new Date(resumeAt).toISOString(),
      quarantined: this.#run.quarantined(20).first,
      remarks: [],
    };
  }
}

function languagesOf(snapshot: PublishedSnapshot | null): Record<string, number> {
  return Object.fromEntries(
    [...(snapshot?.languages() ?? [])].map((row) => [row.name, row.quotes]),
  );
}
