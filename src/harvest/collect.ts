/** The whole of a harvest's reading: each list of the selection walked to its end, then judged. */
import type { Quote } from "../contract/quote.ts";
import type { Filter, Selection } from "../contract/window.ts";
import type { ChainState } from "./chain.ts";
import { guardAgainstBadRecords } from "./guards.ts";
import { verdictOn, type Verdict } from "./label.ts";
import { filtersOf, keeps } from "./selection.ts";
import { walk, type WalkContext } from "./walk.ts";

export interface Collected extends Verdict {
  readonly duplicates: number;
  readonly repaired: number;
}

export type CollectContext = Omit<WalkContext, "keeps"> & {
  readonly selection: Selection;
};

/** Quotes asked for in one request when nobody says: generous, since services clamp it (harvest.md §5.1). */
export const GENEROUS_PAGE = 1_000;

export async function collect(context: CollectContext): Promise<Collected> {
  const { selection, report } = context;
  const filters: readonly Filter[] = filtersOf(selection);
  const keepsQuote: (quote: Quote) => boolean = keeps(selection);
  report({ kind: "phase", phase: "walk" });
  const chains: ChainState[] = [];
  for (const filter of filters) {
    // What is expected in all says nothing about one list of several.
    const expected = filters.length === 1 ? context.expected : null;
    chains.push(await walk(filter, { ...context, expected, keeps: keepsQuote }));
  }
  guardAgainstBadRecords(sum(chains, "records"), sum(chains, "bad"), true);
  return {
    ...verdictOn(chains),
    duplicates: sum(chains, "duplicates"),
    repaired: sum(chains, "repaired"),
  };
}

function sum(chains: readonly ChainState[], key: "records" | "bad" | "duplicates" | "repaired") {
  return chains.reduce((total, chain) => total + chain[key], 0);
}
