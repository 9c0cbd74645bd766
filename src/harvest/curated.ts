/** Reads the service's list of curated quotes, in the same way as the collection. */
import { FilterIgnored, StoppedEarly, WalkFailed } from "../contract/errors.ts";
import { isComplete } from "../contract/facts.ts";
import { filterName } from "../contract/window.ts";
import { collect } from "./collect.ts";
import { countRecords, isEndOfList, type HarvestContext } from "./context.ts";
import { Evidence } from "./evidence.ts";
import { isRefused, orNull } from "./optional.ts";
import { filtersOf } from "./selection.ts";
import { isByKey, type ChainState } from "./walk/chain.ts";
import { hasWorked } from "./walk/check-filter.ts";

/**
 * Reads the list of curated quotes, or resumes it; call it after the collection is read.
 *
 * @param context of the collection, with the expected number of curated quotes in `expected`
 * @returns how much of the list was read, and why not all of it; null where it was
 */
export async function readCurated(
  context: HarvestContext,
): Promise<{ readonly seen: "all" | "some" | "none"; readonly reason: string | null }> {
  const { selection, store, report } = context;
  report({ kind: "phase", phase: "curated" });
  // Whether all lists of the collection were proved by key order.
  const byKey = filtersOf(selection).every((filter) => {
    const state = store.state<ChainState>(filterName(filter));
    return (state?.windows ?? 0) > 1 && state?.unstable === null && isByKey(state.direction);
  });
  try {
    const curated = { ...selection, curated: true };
    const { label, assumption } = await collect({ ...context, selection: curated, byKey });
    return isComplete(label) ? { seen: "all", reason: null } : { seen: "some", reason: assumption };
  } catch (error) {
    // The collection is complete, and a failure of this optional list must not withhold it.
    if (isRefused(error)) return { seen: "none", reason: error.message };
    if (error instanceof StoppedEarly) return { seen: "some", reason: error.message };
    throw error;
  }
}

/**
 * Checks a selection of curated quotes: records do not show whether they are curated, so the list of all quotes must be
 * longer than the curated one.
 *
 * @throws {FilterIgnored} when two answers show that it is not
 * @throws {WalkFailed} when it is not any more
 */
export async function checkCurated(context: HarvestContext): Promise<void> {
  const { get, store, pageSize, selection } = context;
  for (const filter of filtersOf(selection)) {
    const ignored = new Evidence(store, "a filter is ignored", filterName(filter));
    const end = store.state<ChainState>(filterName(filter))?.end ?? 0;
    // An empty list needs no check, since nothing of it is published: a language or a tag may have no quotes.
    while (end > 0) {
      if (ignored.isEnough) {
        const what = "Cannot select curated quotes: the service lists as many without that filter";
        if (!hasWorked(context)) throw new FilterIgnored(`${what}; unset QUOTES_CURATED`);
        throw new WalkFailed(
          `${what}, which it has heeded before; if all quotes are curated now, unset QUOTES_CURATED`,
        );
      }
      const page = await orNull(get({ ...filter, curated: false }, end, pageSize));
      // Only an end shows that nothing follows: a false answer may be an empty page in the middle of the list.
      if (page === null || !isEndOfList(page)) break;
      if (countRecords(page) > 0) break;
      ignored.add(`nothing behind ${end}`);
    }
  }
}
