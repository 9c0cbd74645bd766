/**
 * Reads a list that an earlier run found to be unordered: in slices at once, planned by what is published. Where anything
 * changed since, the walk of the list is the second answer.
 */
import { filterName, type Filter } from "../../contract/window.ts";
import { countRecords, isEndOfList, keysOf, type HarvestContext } from "../context.ts";
import { Pages } from "../pages.ts";
import { EMPTY_STATE, UNORDERED, type ChainState } from "../walk/chain.ts";
import { forgetSlices, readSlices, type Sliced } from "./read.ts";

/** What is remembered of a list that had to be read in slices. */
interface Unordered {
  readonly unstable: string;
  readonly circular: boolean;
  /** Whether its pages say whether more follow. */
  readonly saysNext?: boolean;
  readonly pageSize: number;
  /** Rows that the walk saw, of which some came more than once; 0 when unknown. */
  readonly rows?: number;
  /** When it was found, in milliseconds since the epoch. */
  readonly since: number;
}

/** After this time the walk decides anew: the service may have got an order. */
const REMEMBERED_MS = 30 * 86_400_000;

const traitName = (filter: Filter): string => `unordered ${filterName(filter)}`;

/** @param chain of a list that was read whole in slices; null for a list that needs none */
export function remember(
  filter: Filter,
  { store }: HarvestContext,
  chain: ChainState | null,
): void {
  const name = traitName(filter);
  if (chain === null) return store.saveTrait(name, null);
  const { unstable, circular, saysNext, pageSize, end } = chain;
  const since = store.trait<Unordered>(name)?.since ?? store.started;
  // An order that was disturbed once may hold in the next run.
  if (unstable === null || (unstable !== UNORDERED && !circular)) return;
  const rows = circular ? end : 0;
  store.saveTrait(name, {
    unstable,
    circular,
    saysNext,
    pageSize,
    rows,
    since,
  } satisfies Unordered);
}

/** @returns null where the walk must read the list: it is the first answer, or the second */
export async function readAtOnce(
  filter: Filter,
  context: HarvestContext,
  expected: number | null,
): Promise<{ readonly chain: ChainState; readonly sliced: Sliced } | null> {
  const { store, published, overlap } = context;
  const known = store.trait<Unordered>(traitName(filter));
  const isOld = known !== null && Math.abs(store.started - known.since) > REMEMBERED_MS;
  const name = filterName(filter);
  const walked = store.state<ChainState>(name);
  const canPlan = published !== null && published !== undefined && expected !== null;
  if (known === null || isOld || !canPlan || filter.curated || (walked?.windows ?? 0) > 0) {
    return null;
  }
  const { unstable, circular, saysNext = true, pageSize, rows: end = 0 } = known;
  const chain: ChainState = {
    ...EMPTY_STATE,
    overlap,
    unstable,
    circular,
    saysNext,
    pageSize,
    end,
  };
  const sliced = await readSlices(filter, chain, context, expected);
  if (sliced === null || sliced.flaw !== null) {
    forgetSlices(filter, store);
    return null;
  }
  const seen = store.countSliced(filter);
  const read = { ...chain, furthest: seen, bad: store.quarantined(0).total, end: seen };
  // Offsets of such a list show nothing, so each slice was read twice.
  if (circular) return { chain: read, sliced };
  const isUnchanged = seen === expected && published.countUnseen() === 0;
  if (isUnchanged && (await hasRows(filter, seen, context, pageSize))) {
    return { chain: read, sliced };
  }
  store.saveState(name, { ...EMPTY_STATE, overlap, unstable });
  return null;
}

/** Whether a list has exactly so many rows, and the last of them are known. */
async function hasRows(
  filter: Filter,
  rows: number,
  context: HarvestContext,
  pageSize: number,
): Promise<boolean> {
  const offset = Math.max(0, rows - Math.max(1, pageSize - 1));
  const pages = new Pages(filter, context);
  const page = await pages.confirm(await pages.request(offset));
  const isSame = offset + countRecords(page) === rows;
  return isEndOfList(page) && isSame && context.store.countNew(keysOf(page)) === 0;
}
