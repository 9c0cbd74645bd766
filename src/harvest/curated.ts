/**
 * Which quotes a person chose: the service's list of them, walked as the collection was.
 *
 * A service may not know the filter and send everything. Far into the collection the list of curated quotes has long
 * ended, so one request there tells before the whole is read twice.
 */
import { ConfigurationError, StoppedEarly } from "../contract/errors.ts";
import { isComplete } from "../contract/harvest-result.ts";
import { filterName, type Filter } from "../contract/window.ts";
import { collect, type CollectContext } from "./collect.ts";
import type { HarvestContext } from "./context.ts";
import { Evidence } from "./evidence.ts";
import { isRefused } from "./optional.ts";
import { isTooDeep, sizeOf } from "./pages.ts";
import { filtersOf, keeps } from "./selection.ts";
import type { ChainState } from "./walk/chain.ts";
import { isByKey } from "./walk/order.ts";

/** Of all quotes: a list with more of them than that tells nothing apart. */
export const MOST_CURATED = 0.9;

/** How much of the list was read, and why not all of it. */
export interface CuratedWalk {
  readonly seen: "all" | "some" | "none";
  /** Null where all of it was read. */
  readonly reason: string | null;
}

const IGNORED = "the service does not tell them from the rest";

/**
 * Reads the list of curated quotes, or goes on with it; comes after the collection itself.
 *
 * @param context of the collection; `expected` is how many curated quotes there probably are
 */
export async function readCurated(context: CollectContext): Promise<CuratedWalk> {
  context.report({ kind: "phase", phase: "curated" });
  const selection = { ...context.selection, curated: true };
  const inner: HarvestContext = { ...context, keeps: keeps(selection) };
  try {
    for (const filter of filtersOf(selection)) {
      if (await isIgnored(filter, inner)) return { seen: "none", reason: IGNORED };
    }
    const byKey = filtersOf(context.selection).every((filter) => isInOrder(filter, context));
    const { label, assumption } = await collect({ ...context, selection, byKey });
    return isComplete(label) ? { seen: "all", reason: null } : { seen: "some", reason: assumption };
  } catch (error) {
    // The collection itself is read: it is published whatever became of this.
    if (isRefused(error)) return { seen: "none", reason: error.message };
    if (error instanceof StoppedEarly) return { seen: "some", reason: error.message };
    throw error;
  }
}

/** Whether a list of the collection was proved to stand in the order of its keys. */
function isInOrder(filter: Filter, { store }: CollectContext): boolean {
  const state = store.state(filterName(filter)) as ChainState | null;
  const long = state !== null && state.windows > 1;
  return long && state.unstable === null && isByKey(state.direction);
}

/** Whether the filter changes nothing, as far as one request tells. */
async function isIgnored(filter: Filter, context: HarvestContext): Promise<boolean> {
  const name = `ignored ${filterName(filter)}`;
  const known = context.store.state(name);
  if (known !== null) return known["ignored"] === true;
  const ignored = await ask(filter, context);
  context.store.saveState(name, { ignored });
  return ignored;
}

async function ask(filter: Filter, context: HarvestContext): Promise<boolean> {
  const { get, store, pageSize } = context;
  const plain = filterName({ ...filter, curated: false });
  const [last] = store.lastWindows(plain, 1);
  // One page holds it all: the list itself is as dear as a question.
  if (last === undefined || last.offset === 0) return false;
  const far = Math.floor((last.offset + last.got) * MOST_CURATED);
  try {
    const page = await get(filter, far, pageSize);
    return page.quotes.length > 0;
  } catch (error) {
    // Nothing stands so far on, and the service says so.
    if (isTooDeep(error)) return false;
    throw error;
  }
}

/**
 * Where curated quotes alone are asked for, nothing in a quote tells whether it is one: the list of all quotes must be
 * longer than theirs.
 *
 * @throws {ConfigurationError} when two answers show that it is not
 */
export async function checkCurated(context: CollectContext): Promise<void> {
  const { get, store, pageSize } = context;
  for (const filter of filtersOf(context.selection)) {
    const ignored = new Evidence(store, "a filter is ignored", filterName(filter));
    const { end } = (store.state(filterName(filter)) as ChainState | null) ?? { end: 0 };
    while (!ignored.isEnough) {
      const page = await get({ ...filter, curated: false }, end, pageSize).catch(
        (error: unknown) => {
          if (isRefused(error)) return null;
          throw error;
        },
      );
      if (page === null || sizeOf(page) > 0) break;
      ignored.add(`nothing behind ${end}`);
    }
    if (!ignored.isEnough) continue;
    throw new ConfigurationError(
      "Cannot select curated quotes: the service lists as many without that filter; unset QUOTES_CURATED",
    );
  }
}
