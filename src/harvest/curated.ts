/** Which quotes a person chose: the service's list of them, walked as the collection was. */
import { ConfigurationError, StoppedEarly } from "../contract/errors.ts";
import { isComplete } from "../contract/harvest-result.ts";
import { filterName } from "../contract/window.ts";
import { collect } from "./collect.ts";
import type { HarvestContext } from "./context.ts";
import { Evidence } from "./evidence.ts";
import { isRefused, orNull } from "./optional.ts";
import { sizeOf } from "./pages.ts";
import { filtersOf } from "./selection.ts";
import type { ChainState } from "./walk/chain.ts";
import { isByKey } from "./walk/order.ts";

/** How much of the list was read, and why not all of it. */
export interface CuratedWalk {
  readonly seen: "all" | "some" | "none";
  /** Null where all of it was read. */
  readonly reason: string | null;
}

/**
 * Reads the list of curated quotes, or goes on with it; comes after the collection itself.
 *
 * @param context of the collection; `expected` is how many curated quotes there probably are
 */
export async function readCurated(context: HarvestContext): Promise<CuratedWalk> {
  const { selection, store, report } = context;
  report({ kind: "phase", phase: "curated" });
  // Whether the lists of the collection were proved to be in the order of their keys.
  const byKey = filtersOf(selection).every((filter) => {
    const state = store.state(filterName(filter)) as ChainState | null;
    return (
      state !== null && state.windows > 1 && state.unstable === null && isByKey(state.direction)
    );
  });
  try {
    const curated = { ...selection, curated: true };
    const { label, assumption } = await collect({ ...context, selection: curated, byKey });
    return isComplete(label) ? { seen: "all", reason: null } : { seen: "some", reason: assumption };
  } catch (error) {
    // The collection itself is complete: a failure of this optional list does not keep it back.
    if (isRefused(error)) return { seen: "none", reason: error.message };
    if (error instanceof StoppedEarly) return { seen: "some", reason: error.message };
    throw error;
  }
}

/**
 * Where curated quotes alone are asked for, nothing in a quote says whether it is one: the list of all quotes must be
 * longer than theirs.
 *
 * @throws {ConfigurationError} when two answers show that it is not
 */
export async function checkCurated({
  get,
  store,
  pageSize,
  selection,
}: HarvestContext): Promise<void> {
  for (const filter of filtersOf(selection)) {
    const ignored = new Evidence(store, "a filter is ignored", filterName(filter));
    const { end } = (store.state(filterName(filter)) as ChainState | null) ?? { end: 0 };
    while (!ignored.isEnough) {
      const page = await orNull(get({ ...filter, curated: false }, end, pageSize));
      if (page === null || sizeOf(page) > 0) break;
      ignored.add(`nothing behind ${end}`);
    }
    if (!ignored.isEnough) continue;
    throw new ConfigurationError(
      "Cannot select curated quotes: the service lists as many without that filter; unset QUOTES_CURATED",
    );
  }
}
