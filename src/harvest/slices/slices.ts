/** Reads a list in atomic slices (docs/walk.md, section 3): one request each, so that the order does not matter. */
import type { Quote } from "../../contract/quote.ts";
import { UNDETERMINED } from "../../contract/languages.ts";
import type { WalkStore } from "../../snapshot/work/walk-store.ts";
import { filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { windowOf, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { isRefused } from "../optional.ts";
import {
  countMissing,
  countRecords,
  intersect,
  isWhole,
  MOST_ANSWERS,
  Pages,
  summarise,
} from "../pages.ts";
import { keeps } from "../selection.ts";
import { audit } from "../walk/audit.ts";
import { walk } from "../walk/walk.ts";
import type { ChainState } from "../walk/chain.ts";
import { TOO_FEW, UNORDERED } from "../walk/order.ts";
import { guardAgainstSize } from "../walk/guards.ts";
import { bisect, planSlices } from "./cuts.ts";
import { isWithin, testLengths, wordsOf, type LengthFilter } from "./lengths.ts";

export interface Sliced {
  /** Why the slices are not a proof; null when they are. */
  readonly flaw: string | null;
  /** Whether a length too common for a page was read by language: then a language that was not seen is missing. */
  readonly byLanguage: boolean;
}

const FLAW_MOVED = "more quotes of one length than a page holds, in an order that is no proof";
const FLAW_LESS = "a slice does not bring back what is known of it";

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
  const name = filterName(filter);
  report({ kind: "phase", phase: "slice" });
  const lengths = await testLengths(filter, context);
  if (!lengths.heeded) return null;
  if (store.openSlices(name) === null) {
    const known = store.lengths(filter);
    const seen = known.reduce((sum, { quotes }) => sum + quotes, 0);
    const perPage = (chain.pageSize * seen) / Math.max(1, seen, chain.end, expected ?? 0);
    store.planSlices(name, planSlices(filter, known, perPage, lengths.inclusive));
  }
  // A record does not show whether it is curated. Else the walk is one of two answers, unless it may have missed quotes.
  const isAnswer = [UNORDERED, TOO_FEW].includes(chain.unstable ?? "");
  const needsTwo = filter.curated || !isAnswer || chain.shifted || chain.repaired > 0;
  const reader = new SliceReader(filter, context, lengths, needsTwo);
  try {
    await reader.run();
  } catch (error) {
    // Only the plain list may end a run; without slices, the walk of the list is its result.
    if (isRefused(error)) return null;
    throw error;
  }
  return reader.outcome;
}

/** Deletes the plan and its outcome, so that the next run plans anew. */
export function forgetSlices(filter: Filter, store: WalkStore): void {
  const name = filterName(filter);
  store.planSlices(name, []);
  store.saveState(outcomeName(name), {});
}

const outcomeName = (name: string): string => `slices ${name}`;

class SliceReader {
  readonly #filter: Filter;
  readonly #name: string;
  readonly #context: HarvestContext;
  readonly #lengths: LengthFilter;
  /** Whether one answer is never enough. */
  readonly #needsTwo: boolean;
  outcome: Sliced;
  #slicesRead = 0;

  constructor(filter: Filter, context: HarvestContext, lengths: LengthFilter, needsTwo: boolean) {
    this.#needsTwo = needsTwo;
    this.#filter = filter;
    this.#name = filterName(filter);
    this.#context = context;
    this.#lengths = lengths;
    const stored = context.store.state(outcomeName(this.#name));
    this.outcome = { flaw: null, byLanguage: false, ...stored };
  }

  async run(): Promise<void> {
    const { store, concurrency } = this.#context;
    for (;;) {
      const open = store.openSlices(this.#name) ?? [];
      if (open.length === 0) return;
      for (let at = 0; at < open.length; at += concurrency) {
        const some = open.slice(at, at + concurrency);
        const results = await Promise.allSettled(some.map((slice) => this.#readSlice(slice)));
        const failed = results.find((one) => one.status === "rejected");
        if (failed !== undefined) throw failed.reason;
      }
    }
  }

  async #readSlice(slice: Filter): Promise<void> {
    const { store, selection, report, now } = this.#context;
    const pages = new Pages(slice, this.#context);
    const page = await this.#read(pages);
    const byLanguage = slice.language !== this.#filter.language;
    if (byLanguage && !this.outcome.byLanguage) this.#saveOutcome({ byLanguage });
    const whole = page.next === null;
    const instead = whole ? [] : this.#cut(slice, page.quotes);
    store.save({
      window: windowOf(page, slice, "slice", now()),
      quotes: page.quotes.filter(keeps(selection)),
      quarantined: page.quarantined,
      // A slice that cannot be cut is walked, and settled at the end of that walk.
      ...(instead === null ? {} : { slice: { of: this.#name, slice, instead } }),
    });
    const windows = ++this.#slicesRead;
    report({ kind: "window", windows, quotes: store.quotesSeen, expected: null });
    guardAgainstSize(this.#context);
    if (instead === null) await this.#walkSlice(pages);
  }

  /** Reads a slice. One that is not whole or lacks known quotes is requested until two answers agree. */
  async #read(pages: Pages): Promise<ServedPage> {
    const slice = pages.filter;
    const margin = this.#lengths.inclusive ? 1 : 0;
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
      isAgreed = concludes("a slice is smaller than what is known of it", {
        shown: answers.map(summarise),
        control: page.shape === "envelope" && bringsBack,
      });
    }
    if (!isAgreed) this.#saveOutcome({ flaw: FLAW_LESS });
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
    const halves = bisect(
      slice,
      served.map((quote) => [...wordsOf(quote)].length),
      this.#lengths.inclusive,
    );
    if (halves !== null) return halves;
    if (slice.language !== null) return null;
    const languages = this.#context.store.languagesSeen();
    // The service cannot be asked for quotes without a language: then languages do not cover the slice.
    if (languages.length < 2 || languages.includes(UNDETERMINED)) return null;
    return languages.map((language) => ({ ...slice, language }));
  }

  async #walkSlice(pages: Pages): Promise<void> {
    const chain = await audit(pages, await walk(pages, null, true));
    if (chain.unstable !== null) this.#saveOutcome({ flaw: FLAW_MOVED });
    this.#context.store.settleSlice({ of: this.#name, slice: pages.filter, instead: [] });
  }

  /** Must be called before the slice is settled: a crash between the two would lose the flaw. */
  #saveOutcome(found: Partial<Sliced>): void {
    this.outcome = { ...this.outcome, ...found };
    this.#context.store.saveState(outcomeName(this.#name), { ...this.outcome });
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
