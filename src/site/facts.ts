/** What is known of the collection as a whole and of how it was read: `/about/` and `/about/build/`. */
import type { HarvestFact, RunFact } from "../contract/results.ts";
import { historyUntil } from "../report/history.ts";
import type { Sources } from "./sources.ts";

/**
 * Totals, and how fresh and how whole the data is.
 *
 * They change every night: a listing page that showed them would be made again each time, so show them on the home page,
 * the indexes and `/about/`.
 */
export type Summary = ReturnType<FactReads["summary"]>;

/** What the harvest did, as a snapshot of any age has it. */
export interface HarvestFacts extends Omit<HarvestFact, "label" | "assumption"> {
  readonly label: string;
  readonly assumption: string | null;
}

/** The page about the last build: this snapshot's harvest, and the builds that had ended when it was made. */
export type BuildPage = ReturnType<FactReads["lastBuild"]>;

/** Builds that the trend shows. */
const TREND = 30;

export type FactReads = ReturnType<typeof factReads>;

export function factReads({ snapshot, plan, pictures, stateDir }: Sources) {
  return {
    summary,

    /** Nothing here depends on the clock: made again from the same snapshot and history, the page is the same. */
    lastBuild: () => {
      const facts = harvest();
      return {
        summary: summary(),
        harvest: facts,
        /** Null for a snapshot that an older version made. */
        night: snapshot.fact<RunFact>("night") ?? null,
        merged: plan.merged,
        pictures: pictures?.lastRun() ?? { shown: 0, reasons: {} },
        /** Oldest first. */
        history: facts === null ? [] : historyUntil(stateDir, facts.finished, TREND),
      };
    },

    /** Ids of the quotes of the site that a person chose, as the service says, by id; null where that is unknown. */
    curatedIds: (): Iterable<number> | null => {
      const ids = snapshot.curatedKeys();
      return ids && Iterator.from(ids).filter((id) => plan.card(id) !== undefined);
    },
  };

  function summary() {
    const facts = harvest();
    return {
      quotes: plan.quotes,
      /** Named authors, quotes without author left out. */
      authors: plan.count("author"),
      tags: plan.count("tag"),
      languages: plan.count("language"),
      /** `complete:proved`, `complete:sliced`, `best-effort` or `partial`; null where the snapshot does not say. */
      label: facts?.label ?? null,
      /** When the harvest ended, ISO 8601 in UTC; null where the snapshot does not say. */
      dataAsOf: snapshot.fact<string>("asOf") ?? facts?.finished ?? null,
      /** The service's host; null where the snapshot does not say. */
      source: snapshot.fact<{ readonly host: string }>("source")?.host ?? null,
    };
  }

  function harvest(): HarvestFacts | null {
    return snapshot.fact<HarvestFacts>("harvest") ?? null;
  }
}
