/** The whole of a harvest's reading: each list of the selection walked to its end, audited, and sliced if it must. */
import { StoppedEarly } from "../contract/errors.ts";
import { filterName, type Filter, type Selection } from "../contract/window.ts";
import type { HarvestContext } from "./context.ts";
import { verdictOn, type Reading, type Verdict } from "./label.ts";
import { filtersOf, keeps } from "./selection.ts";
import { forgetSlices, readSlices } from "./slices/slices.ts";
import { audit } from "./walk/audit.ts";
import { guardAgainstBadRecords } from "./walk/guards.ts";
import { walk } from "./walk/walk.ts";

export interface Collected extends Verdict {
  readonly duplicates: number;
  readonly repaired: number;
  /** Records that the service sends in one page. */
  readonly pageSize: number;
}

export type CollectContext = Omit<HarvestContext, "keeps"> & {
  readonly selection: Selection;
  /** Quotes that are probably there; null when nothing is known. */
  readonly expected: number | null;
};

export async function collect(context: CollectContext): Promise<Collected> {
  const { selection } = context;
  const filters = filtersOf(selection);
  const inner: HarvestContext = { ...context, keeps: keeps(selection) };
  // What is expected in all says nothing about one list of several.
  const expected = filters.length === 1 ? context.expected : null;
  const readings: Reading[] = [];
  for (const filter of filters) readings.push(await readList(filter, inner, expected));
  guardAgainstBadRecords(sum(readings, "furthest"), sum(readings, "bad"), true, inner);
  return {
    ...verdictOn(readings),
    duplicates: sum(readings, "duplicates"),
    repaired: sum(readings, "repaired"),
    pageSize: Math.max(0, ...readings.map(({ chain }) => chain.pageSize)),
  };
}

async function readList(
  filter: Filter,
  context: HarvestContext,
  expected: number | null,
): Promise<Reading> {
  context.report({ kind: "phase", phase: "walk" });
  const walked = await walk(filter, context, expected);
  const chain = await audit(filter, walked, context);
  if (chain.unstable === null) return { chain, sliced: null };
  context.report({ kind: "remark", text: `${chain.unstable}: reading in slices` });
  const sliced = await readSlices(filter, chain, context, expected);
  if (sliced !== null && !(chain.cut && sliced.flaw !== null)) return { chain, sliced };
  if (chain.cut) {
    // It may go on another night.
    const { store } = context;
    forgetSlices(filter, store);
    store.saveState(filterName(filter), { ...chain, unstable: null, ended: false, cut: false });
    throw new StoppedEarly(
      `Cannot tell where the list ends: ${chain.unstable}, and slices do not show it either`,
    );
  }
  return { chain: await walk(filter, context, expected, true), sliced: null };
}

/** Has the next call read a list in slices, though its walk seemed good. */
export function distrustLists(context: CollectContext, reason: string): void {
  for (const filter of filtersOf(context.selection)) {
    const state = context.store.state(filterName(filter));
    if (state !== null) context.store.saveState(filterName(filter), { ...state, unstable: reason });
  }
}

function sum(readings: readonly Reading[], key: "furthest" | "bad" | "duplicates" | "repaired") {
  return readings.reduce((total, { chain }) => total + chain[key], 0);
}
