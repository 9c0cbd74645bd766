/**
 * Reads a slice that holds more quotes of one length than a page (docs/walk.md, section 3): by overlapping windows, which
 * are not one moment. A pass is whole if it showed as many keys as the slice has rows. It is believed if everything else
 * that is known agrees with it, or a second whole pass does.
 */
import type { Quote } from "../../contract/quote.ts";
import { filterName, type ServedPage } from "../../contract/window.ts";
import { countRecords, keysOf, windowOf } from "../context.ts";
import { concludes } from "../evidence.ts";
import { type Pages } from "../pages.ts";
import { keeps } from "../selection.ts";
import { countUnknown } from "./known.ts";
import { isWithin } from "../units.ts";

const OVERLAP = 2;
/** Most passes, when no two agree. */
const MOST_PASSES = 4;
/** Windows without a new key after which a pass is given up. */
const MOST_IDLE = 3;

/** The pass under way. */
const EMPTY_PASS = {
  offset: 0,
  keys: [] as readonly number[],
  /** Keys that neither this run nor the published snapshot knew. */
  unknown: 0,
  idle: 0,
};

type Pass = Readonly<typeof EMPTY_PASS>;

interface State {
  /** Sorted keys of each pass, as JSON; null for a pass that was not whole. */
  readonly passes: readonly (string | null)[];
  readonly at: Pass;
}

export interface PassOptions {
  /** Keys that are surely in the slice. */
  readonly known: readonly number[];
  /** Whether one pass is enough that agrees with what is known. */
  readonly mayAgree: boolean;
  /** How many of the known keys a single pass may lack: quotes may have been deleted since they were seen. */
  readonly mayLack: number;
  /** Whether a single pass may show quotes that are not known: what it shows is compared with a walk that follows. */
  readonly mayAdd: boolean;
}

/**
 * Reads a slice in passes, or resumes that.
 *
 * @returns the keys of the slice, and the curated quotes among them; null when no pass can be believed
 */
export async function readInPasses(
  pages: Pages,
  options: PassOptions,
): Promise<{ readonly keys: readonly number[]; readonly curated: readonly Quote[] } | null> {
  const { context, filter } = pages;
  const name = `passes ${filterName(filter)}`;
  let state: State = { passes: [], at: EMPTY_PASS, ...context.store.state<State>(name) };
  const quotes = new Map<number, Quote>();
  // The quotes of a curated list are stored at the end: a record does not show whether it is curated.
  if (filter.curated) state = { ...state, at: EMPTY_PASS };
  while (state.passes.length < MOST_PASSES) {
    const page = await pages.confirm(await pages.request(state.at.offset));
    if (!isWithin(page.quotes, filter)) return null;
    const at = extendPass(state.at, page, pages);
    if (filter.curated) for (const quote of page.quotes) quotes.set(quote.id, quote);
    saveWindow(pages, page);
    const isOver = page.next === null || at.idle >= MOST_IDLE || countRecords(page) === 0;
    if (!isOver) {
      state = { ...state, at };
      context.store.saveState(name, state);
      continue;
    }
    const end = page.offset + countRecords(page);
    const isWhole = page.next === null && at.keys.length === end;
    const sorted = JSON.stringify(at.keys.toSorted((a, b) => a - b));
    const passes = [...state.passes, isWhole ? sorted : null];
    state = { passes, at: EMPTY_PASS };
    context.store.saveState(name, state);
    if (!isWhole) continue;
    const found = new Set(at.keys);
    const lacking = options.known.filter((pk) => !found.has(pk)).length;
    const mayAgree = options.mayAgree && (options.mayAdd || at.unknown === 0);
    const agrees = mayAgree && lacking <= options.mayLack;
    const shown = passes.map((one, place) => one ?? `not whole ${place}`);
    const isSame = concludes("more quotes of one length than a page holds", shown);
    if (!agrees && !isSame) continue;
    return { keys: at.keys, curated: [...quotes.values()].filter(({ id }) => found.has(id)) };
  }
  return null;
}

function extendPass(pass: Pass, page: ServedPage, { context, filter }: Pages): Pass {
  const before = new Set(pass.keys);
  const fresh = [...new Set(keysOf(page))].filter((pk) => !before.has(pk));
  const records = countRecords(page);
  return {
    offset: page.offset + Math.max(1, records - Math.min(OVERLAP, Math.floor(records / 3))),
    keys: [...pass.keys, ...fresh],
    unknown: pass.unknown + countUnknown(context, filter, fresh),
    idle: fresh.length > 0 ? 0 : pass.idle + 1,
  };
}

/** Stores a window of a pass, which alone shows nothing. */
function saveWindow({ context, filter }: Pages, page: ServedPage): void {
  const quotes = filter.curated ? [] : page.quotes.filter(keeps(context.selection));
  const window = windowOf(page, filter, "probe");
  context.store.save({ window, quotes, quarantined: page.quarantined });
}
