/** Facts about the collection and its harvest, for `/about/` and `/about/build/`. */
import type { HarvestFact } from "../contract/facts.ts";
import { historyUntil } from "../report/history.ts";
import { isEmbedded, sourceName } from "./attribution.ts";
import { COLLECTION_SOURCES, type CollectionSource } from "./collection-sources.ts";
import type { Sources } from "./sources.ts";

/**
 * Totals, age and completeness of the data.
 *
 * They change every night. A listing that shows them would be rendered every night: show them on the home page, the indexes
 * and `/about/`.
 */
export interface Summary {
  readonly quotes: number;
  /** Quotes that say the same as one of these. */
  readonly copies: number;
  readonly authors: number;
  readonly tags: number;
  readonly languages: number;
  /** `complete:proved`, `complete:sliced`, `best-effort` or `partial`; null if unknown. */
  readonly label: string | null;
  /** When the harvest ended, ISO 8601 in UTC; null if unknown. */
  readonly dataAsOf: string | null;
  /** The day of it, as pages show it: a harvest that brought nothing new changes no page of its day. */
  readonly asOfDay: string | null;
  /** The name of the service; null if unknown, and for the embedded collection. */
  readonly source: string | null;
}

export type BuildPage = ReturnType<FactReads["lastBuild"]>;

/** Builds in the chart. */
const TREND = 60;

export type FactReads = ReturnType<typeof factReads>;

export function factReads({ snapshot, plan, pictures, stateDir, attribution }: Sources) {
  return {
    summary,

    /** The sources of the embedded collection; none where the quotes come from a service. */
    collectionSources: (): readonly CollectionSource[] =>
      isEmbedded(snapshot.fact("source")) ? COLLECTION_SOURCES : [],

    /** The harvest of this snapshot, and the builds before it. Nothing here depends on the clock. */
    lastBuild: () => {
      const facts = harvest();
      return {
        summary: summary(),
        harvest: facts,
        /** Null for a snapshot of an older version. */
        night: snapshot.fact("night") ?? null,
        merged: plan.merged,
        pictures: pictures?.lastRun() ?? { shown: 0, reasons: {} },
        /** Oldest first. */
        history: facts === null ? [] : historyUntil(stateDir, facts.finished, TREND),
      };
    },

    /** What came of the corrections of the site. */
    corrected: () => plan.corrected,

    /** Ids of the curated quotes that the site shows, in order; null if there are none, or the service does not name them. */
    curatedIds: (): Iterable<number> | null => {
      const ids = snapshot.curatedKeys();
      if (ids === null) return null;
      const cards = Array.from(ids).flatMap((id) => plan.card(id) ?? []);
      if (cards.length === 0) return null;
      // The original shows what was chosen, whichever copy that was.
      return new Set(cards.map(({ id, original }) => original ?? id).sort((a, b) => a - b));
    },
  };

  function summary(): Summary {
    const facts = harvest();
    const asOf = snapshot.fact("asOf") ?? facts?.finished ?? null;
    return {
      quotes: plan.quotes,
      copies: plan.copies,
      authors: plan.count("author"),
      tags: plan.count("tag"),
      languages: plan.count("language"),
      label: facts?.label ?? null,
      dataAsOf: asOf,
      asOfDay: asOf?.slice(0, 10) ?? null,
      source: sourceName(snapshot.fact("source"), attribution?.name),
    };
  }

  function harvest(): HarvestFact | null {
    return snapshot.fact("harvest") ?? null;
  }
}
