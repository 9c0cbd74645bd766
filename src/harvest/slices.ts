/**
 * Reads a list in atomic slices (docs/walk.md, section 3): one request each, so that the order does not matter. Slices are
 * cut by text length.
 *
 * The contract names neither the unit of length nor whether bounds are inclusive, so neighbouring slices share one length
 * until the service has shown that both bounds are inclusive.
 */
import { servedTextOf, type Quote } from "../contract/quote.ts";
import { UNDETERMINED } from "../contract/languages.ts";
import { filterName, type Filter, type ServedPage } from "../contract/window.ts";
import { eachOf } from "../util/work.ts";
import type { Run } from "../snapshot/index.ts";
import { windowOf, type HarvestContext } from "./context.ts";
import { concludes } from "./evidence.ts";
import { isWithin, testLengths } from "./lengths.ts";
import { isRefused } from "./optional.ts";
import {
  countMissing,
  countRecords,
  intersect,
  isWhole,
  MOST_ANSWERS,
  Pages,
  summarise,
} from "./pages.ts";
import { keeps } from "./selection.ts";
import { audit } from "./walk/audit.ts";
import { TOO_FEW, UNORDERED, type ChainState } from "./walk/chain.ts";
import { walkToEnd } from "./walk/end.ts";
import { guardAgainstSize } from "./walk/guards.ts";

/** Outcome of reading a list in slices; stored with the run. */
const EMPTY_OUTCOME = {
  /** Why the slices are not a proof; null when they are. */
  flaw: null as string | null,
  /** Whether a length too common for a page was read by language: then quotes of an unseen language are missing. */
  byLanguage: false,
  /** Whether all slices were read once more, since they showed fewer quotes than the list has rows. */
  again: false,
};

export type Sliced = Readonly<typeof EMPTY_OUTCOME>;

const FLAW_MOVED = "more quotes of one length than a page holds, in an order that is no proof";
const FLAW_LESS = "a slice does not return the quotes that are known in it";
const FLAW_LANGUAGES = "the list has more rows than quotes in the languages seen";

/** Share of a page that known quotes may fill; the rest is room for new quotes. */
export const FILL = 0.85;

/**
 * Reads a list slice by slice, or resumes that.
 *
 * @param chain state of the walk when it was given up
 * @param expected number of quotes; null when unknown
 * @returns null when the service does not filter by length
 */
export async function readSlices(
  filter: Filter,
  chain: ChainState,
  context: HarvestContext,
  expected: number | null,
): Promise<Sliced | null> {
  const { store, report } = context;
  report({ kind: "phase", phase: "slice" });
  const { heeded, inclusive } = await testLengths(filter, context);
  if (!heeded) return null;
  const plan = (): void => {
    const known = store.lengths(filter);
    const seen = known.reduce((sum, { quotes }) => sum + quotes, 0);
    const perPage = (chain.pageSize * seen) / Math.max(1, seen, chain.end, expected ?? 0);
    store.planSlices(filterName(filter), planSlices(filter, known, perPage * FILL, inclusive));
  };
  if (store.openSlices(filterName(filter)) === null) plan();
  // A record does not show whether it is curated. In other lists the walk is one of two answers, unless it may have missed
  // quotes.
  const isAnswer = [UNORDERED, TOO_FEW].includes(chain.unstable ?? "");
  const needsTwo = filter.curated || !isAnswer || chain.shifted || chain.repaired > 0;
  const reader = new SliceReader(filter, context, inclusive, needsTwo);
  try {
    await reader.run();
    // A slice of one answer may lack a quote that moved past the walk.
    if (!needsTwo && !reader.outcome.again && store.countSliced(filter) < chain.end) {
      plan();
      reader.save({ again: true });
      await reader.run();
    }
    const hasMore = reader.outcome.byLanguage && store.countSliced(filter, true) < chain.end;
    if (hasMore) reader.save({ flaw: FLAW_LANGUAGES });
  } catch (error) {
    // A request for slices must not end a run; without slices, the walk of the list is its result.
    if (isRefused(error)) return null;
    throw error;
  }
  return reader.outcome;
}

/** Deletes the plan and its outcome, so that the next run plans anew. */
export function forgetSlices(filter: Filter, store: Run): void {
  store.planSlices(filterName(filter), []);
  store.saveState(outcomeName(filter), EMPTY_OUTCOME);
}

const outcomeName = (filter: Filter): string => `slices ${filterName(filter)}`;

class SliceReader {
  readonly #filter: Filter;
  readonly #context: HarvestContext;
  /** Whether both bounds are inclusive. */
  readonly #inclusive: boolean;
  /** Whether each slice needs two answers. */
  readonly #needsTwo: boolean;
  outcome: Sliced;
  #slicesRead = 0;

  constructor(filter: Filter, context: HarvestContext, inclusive: boolean, needsTwo: boolean) {
    this.#filter = filter;
    this.#context = context;
    this.#inclusive = inclusive;
    this.#needsTwo = needsTwo;
    this.outcome = { ...EMPTY_OUTCOME, ...context.store.state<Sliced>(outcomeName(filter)) };
  }

  async run(): Promise<void> {
    const { store, concurrency } = this.#context;
    for (;;) {
      const open = store.openSlices(filterName(this.#filter)) ?? [];
      if (open.length === 0) return;
      await eachOf(open, concurrency, (slice) => this.#readSlice(slice));
    }
  }

  async #readSlice(slice: Filter): Promise<void> {
    const { store, selection, report } = this.#context;
    const pages = new Pages(slice, this.#context);
    const page = await this.#read(pages);
    const byLanguage = slice.language !== this.#filter.language;
    if (byLanguage && !this.outcome.byLanguage) this.save({ byLanguage });
    const instead = page.next === null ? [] : this.#cut(slice, page.quotes);
    const of = filterName(this.#filter);
    store.save({
      window: windowOf(page, slice, "slice"),
      quotes: page.quotes.filter(keeps(selection)),
      quarantined: page.quarantined,
      // A slice that cannot be cut is walked below, and settled after that walk.
      ...(instead === null ? {} : { slice: { of, slice, instead } }),
    });
    const windows = ++this.#slicesRead;
    report({ kind: "window", windows, quotes: store.quotesSeen, expected: null });
    guardAgainstSize(this.#context);
    if (instead !== null) return;
    const chain = await audit(pages, await walkToEnd(pages, null, true));
    if (chain.unstable !== null) this.save({ flaw: FLAW_MOVED });
    store.settleSlice({ of, slice, instead: [] });
  }

  /** Reads a slice. If it is not whole or lacks known quotes, requests it until two answers agree. */
  async #read(pages: Pages): Promise<ServedPage> {
    const slice = pages.filter;
    const margin = this.#inclusive ? 1 : 0;
    // A quote strictly between these bounds is surely in the slice.
    const known = this.#context.store.findKnown({
      ...slice,
      minLength: slice.minLength && slice.minLength - margin,
      maxLength: slice.maxLength && slice.maxLength + margin,
    });
    const answers: ServedPage[] = [];
    let isAgreed = false;
    while (!isAgreed && answers.length < MOST_ANSWERS) {
      const page = await pages.request(0);
      // A slice that is too large is cut and read again.
      const isTooLarge = page.next !== null && !slice.curated;
      const mayBeEnough = (isTooLarge || !this.#needsTwo) && !pages.hasUnconfirmed(page);
      if (mayBeEnough && !isSuspect(page, slice, known)) return page;
      answers.push(page);
      const bringsBack = page.next !== null || countMissing(page, known) <= known.length / 2;
      isAgreed = concludes(
        "a slice is smaller than what is known of it",
        answers.map(summarise),
        page.shape === "envelope" && bringsBack,
      );
    }
    if (!isAgreed) this.save({ flaw: FLAW_LESS });
    const [before, last] = answers.slice(-2);
    if (before === undefined || last === undefined) throw new RangeError("a slice was not read");
    // Only quotes in both answers count as curated.
    if (slice.curated) return intersect(last, before);
    const quotes = new Map(
      answers.flatMap((page) => page.quotes).map((quote) => [quote.id, quote]),
    );
    return { ...last, quotes: [...quotes.values()] };
  }

  /** Cuts a slice that is too large, by length or by language; null when it cannot be cut. */
  #cut(slice: Filter, served: readonly Quote[]): Filter[] | null {
    // Code points are the most likely unit.
    const lengths = served.map((quote) => [...servedTextOf(quote)].length);
    const halves = bisect(slice, lengths, this.#inclusive);
    if (halves !== null || slice.language !== null) return halves;
    const languages = this.#context.store.languagesSeen();
    // The service cannot be asked for quotes without a language: then languages do not cover the slice.
    if (languages.length < 2 || languages.includes(UNDETERMINED)) return null;
    return languages.map((language) => ({ ...slice, language }));
  }

  /** Must be called before the slice is settled: a crash between the two would lose the flaw. */
  save(found: Partial<Sliced>): void {
    this.outcome = { ...this.outcome, ...found };
    this.#context.store.saveState(outcomeName(this.#filter), this.outcome);
  }
}

/** Whether a page is cut, ignores its filter, or lacks known quotes: then another answer is needed. */
function isSuspect(page: ServedPage, slice: Filter, known: readonly number[]): boolean {
  if (page.shape !== "envelope" || !isWithin(page.quotes, slice)) return true;
  if (page.next !== null) return !isWhole(page);
  // With less than half of the slice known, only a second answer to the same request is a check.
  if (known.length < Math.max(1, countRecords(page) / 2)) return true;
  return countMissing(page, known) >= Math.max(1, known.length / 10);
}

/** Cuts a slice in two: length `at` goes to the left, `at + 1` to the right. */
function cutAt(slice: Filter, at: number, inclusive: boolean): [Filter, Filter] {
  return [
    { ...slice, maxLength: inclusive ? at : at + 1 },
    { ...slice, minLength: inclusive ? at + 1 : at },
  ];
}

/**
 * Cuts a filter into slices by the lengths seen so far.
 *
 * @param most seen quotes in a slice
 */
function planSlices(
  filter: Filter,
  lengths: ReturnType<Run["lengths"]>,
  most: number,
  inclusive: boolean,
): Filter[] {
  const slices: Filter[] = [];
  let rest = filter;
  let held = 0;
  for (const [index, { quotes }] of lengths.entries()) {
    const before = lengths[index - 1];
    if (held > 0 && held + quotes > most && before !== undefined) {
      const [left, right] = cutAt(rest, before.length, inclusive);
      slices.push(left);
      rest = right;
      // The next slice holds the shared length too.
      held = inclusive ? 0 : before.quotes;
    }
    held += quotes;
  }
  return [...slices, rest];
}

/**
 * Cuts a slice that did not fit into a page, at the median of the served lengths, or in the middle of its bounds.
 *
 * @returns null when the slice cannot be cut by length any more
 */
function bisect(slice: Filter, served: readonly number[], inclusive: boolean): Filter[] | null {
  const sorted = served.toSorted((a, b) => a - b);
  const low = slice.minLength ?? 0;
  const high = slice.maxLength ?? Math.max(2 * low, 2 * (sorted.at(-1) ?? 0), low + 4);
  // Both halves must be smaller than the whole, though they share the length of the cut.
  const first = inclusive ? low : low + 1;
  const last = inclusive ? high - 1 : high - 2;
  if (first > last) return null;
  const median = sorted[(sorted.length - 1) >> 1] ?? low;
  const useful = median >= first && median <= last;
  return cutAt(slice, useful ? median : Math.floor((first + last) / 2), inclusive);
}
