/** Atomic slices (docs/walk.md, section 3): each is read in one request, so no order matters, not even one that changes. */
import type { Quote } from "../../contract/quote.ts";
import { UNDETERMINED } from "../../contract/languages.ts";
import type { WalkStore } from "../../snapshot/work/walk-store.ts";
import { EVERYTHING, filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { windowOf, type HarvestContext } from "../context.ts";
import { concludes } from "../evidence.ts";
import { isRefused } from "../optional.ts";
import { inBoth, isWhole as isComplete, MOST_ANSWERS, Pages, sizeOf } from "../pages.ts";
import { keeps } from "../selection.ts";
import { audit } from "../walk/audit.ts";
import { walk } from "../walk/walk.ts";
import type { ChainState } from "../walk/chain.ts";
import { MOVED } from "../walk/order.ts";
import { guardAgainstSize } from "../walk/guards.ts";
import { bisection, planned } from "./cuts.ts";
import { isWithin, learnFilters, wordsOf, type LengthFilter } from "./lengths.ts";

/** With so many quotes known, an answer that hides some surely lacks one of them. */
const TELLING = 20;

export interface Sliced {
  /** Why slices are no proof; null when every one was. */
  readonly flaw: string | null;
  /** Whether some length was too common for a page, and was read by language: a language that was not seen is not asked for. */
  readonly byLanguage: boolean;
}

const FLAW_MOVED = "more quotes of one length than a page holds, in an order that is no proof";
const FLAW_LESS = "a slice does not bring back what is known of it";

/**
 * Reads a filter's quotes slice by slice, or goes on with it.
 *
 * @param chain what the walk had seen when it was given up
 * @param expected quotes that are probably there; null when nothing is known
 * @returns null when the service does not filter by length: there are no slices
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
  const lengths = await learnFilters(filter, context);
  if (!lengths.heeded) return null;
  if (store.openSlices(name) === null) {
    const known = store.lengths(filter);
    const seen = known.reduce((sum, { quotes }) => sum + quotes, 0);
    const perPage = (chain.pageSize * seen) / Math.max(1, seen, chain.end, expected ?? 0);
    store.planSlices(name, planned(filter, known, perPage, lengths.inclusive));
  }
  const reader = new SliceReader(filter, context, lengths, chain.unstable);
  try {
    await reader.run();
  } catch (error) {
    // Only the plain list can end a run: without slices it is as good as its walk.
    if (isRefused(error)) return null;
    throw error;
  }
  return reader.outcome;
}

/** Has the next call plan anew: what was found wanting tonight may be well tomorrow. */
export function forgetSlices(filter: Filter, store: WalkStore): void {
  const name = filterName(filter);
  store.planSlices(name, []);
  store.saveState(outcomeOf(name), {});
}

const outcomeOf = (name: string): string => `slices ${name}`;

/** Languages that together hold every quote; none where some quote has no language to ask for. */
function askable(languages: readonly string[]): readonly string[] {
  return languages.includes(UNDETERMINED) ? [] : languages;
}

class SliceReader {
  readonly #filter: Filter;
  readonly #of: string;
  readonly #context: HarvestContext;
  readonly #lengths: LengthFilter;
  /** Quotes of a slice that the walk must know, or one answer is not enough: some, where it may have missed others. */
  readonly #leastKnown: number;
  #outcome: Sliced;
  #slicesRead = 0;

  constructor(
    filter: Filter,
    context: HarvestContext,
    lengths: LengthFilter,
    unstable: string | null,
  ) {
    // Nothing in a quote says that it is curated.
    this.#leastKnown = filter.curated ? Infinity : unstable === MOVED ? TELLING : 0;
    this.#filter = filter;
    this.#of = filterName(filter);
    this.#context = context;
    this.#lengths = lengths;
    // What was found before a crash is as true after it.
    this.#outcome = { flaw: null, byLanguage: false, ...context.store.state(outcomeOf(this.#of)) };
  }

  get outcome(): Sliced {
    return this.#outcome;
  }

  async run(): Promise<void> {
    const { store, concurrency } = this.#context;
    for (;;) {
      const open = store.openSlices(this.#of) ?? [];
      if (open.length === 0) return;
      for (let at = 0; at < open.length; at += concurrency) {
        const some = open.slice(at, at + concurrency);
        const settled = await Promise.allSettled(some.map((slice) => this.#readSlice(slice)));
        const failed = settled.find((one) => one.status === "rejected");
        if (failed !== undefined) throw failed.reason;
      }
    }
  }

  async #readSlice(slice: Filter): Promise<void> {
    const { store, selection, report, now } = this.#context;
    const page = await this.#read(slice);
    const byLanguage = slice.language !== this.#filter.language;
    if (byLanguage && !this.#outcome.byLanguage) this.#note({ byLanguage });
    const whole = page.next === null;
    const instead = whole ? [] : this.#smaller(slice, page.quotes);
    store.save({
      window: windowOf(page, slice, "slice", now()),
      quotes: page.quotes.filter(keeps(selection)),
      quarantined: page.quarantined,
      // A single length in one language that is still too much is walked, and settled when that has ended.
      ...(instead === null ? {} : { slice: { of: this.#of, slice, instead } }),
    });
    const windows = ++this.#slicesRead;
    report({ kind: "window", windows, quotes: store.quotesSeen, expected: null });
    guardAgainstSize(this.#context);
    if (instead === null) await this.#walkSlice(slice);
  }

  /** A slice that is not whole, or brings back less than is known of it, is asked for until two answers agree. */
  async #read(slice: Filter): Promise<ServedPage> {
    const margin = this.#lengths.inclusive ? 1 : 0;
    // Strictly between these bounds a quote is surely in the slice.
    const known = this.#context.store.findKnown({
      ...slice,
      minLength: slice.minLength && slice.minLength - margin,
      maxLength: slice.maxLength && slice.maxLength + margin,
    });
    const pages = new Pages(slice, this.#context);
    const answers: ServedPage[] = [];
    let isAgreed = false;
    while (!isAgreed && answers.length < MOST_ANSWERS) {
      const page = await pages.once(0);
      const isSure = known.length >= this.#leastKnown && !pages.isUnread(page);
      if (isSure && !isSuspect(page, slice, known)) return page;
      answers.push(page);
      isAgreed = concludes("a slice is smaller than what is known of it", {
        shown: answers.map(shownBy),
        control: page.shape === "envelope" && missingIn(page, known) <= known.length / 2,
      });
    }
    if (!isAgreed) this.#note({ flaw: FLAW_LESS });
    const [before, last] = answers.slice(-2);
    if (before === undefined || last === undefined) throw new RangeError("a slice was not read");
    // Only what both answers show is curated.
    if (slice.curated) return inBoth(last, before);
    const quotes = new Map(
      answers.flatMap((page) => page.quotes).map((quote) => [quote.id, quote]),
    );
    return { ...last, quotes: [...quotes.values()] };
  }

  /** What takes the place of a slice that is too large; null when nothing smaller is left. */
  #smaller(slice: Filter, served: readonly Quote[]): Filter[] | null {
    // Code points are our best guess at the service's unit.
    const halves = bisection(
      slice,
      served.map((quote) => [...wordsOf(quote)].length),
      this.#lengths.inclusive,
    );
    if (halves !== null) return halves;
    if (slice.language !== null) return null;
    const languages = askable(this.#context.store.languagesSeen());
    return languages.length < 2 ? null : languages.map((language) => ({ ...slice, language }));
  }

  async #walkSlice(slice: Filter): Promise<void> {
    const walked = await walk(slice, this.#context, null, true);
    const chain = await audit(slice, walked, this.#context);
    if (chain.unstable !== null) this.#note({ flaw: FLAW_MOVED });
    this.#context.store.settleSlice({ of: this.#of, slice, instead: [] });
  }

  /** Stored before the slice in question is settled. */
  #note(found: Partial<Sliced>): void {
    this.#outcome = { ...this.#outcome, ...found };
    this.#context.store.saveState(outcomeOf(this.#of), { ...this.#outcome });
  }
}

/** Whether one more answer is needed: cut, ignoring its filter, or without quotes that are known to be in it. */
function isSuspect(page: ServedPage, slice: Filter, known: readonly number[]): boolean {
  if (page.shape !== "envelope" || !isWithin(page.quotes, slice)) return true;
  if (page.next !== null) return !isComplete(page);
  // Where the walk knows less than half of it, no answer can be judged by another but one to the same question.
  if (known.length < Math.max(1, sizeOf(page) / 2)) return true;
  return missingIn(page, known) >= Math.max(1, known.length / 10);
}

/** The keys that a page shows, in their order, and whether more follow. */
function shownBy(page: ServedPage): string {
  const keys = windowOf(page, EVERYTHING, "slice", 0).pks.toSorted((a, b) => a - b);
  return `${page.shape} ${page.next === null ? "last" : "more"} ${keys.join()}`;
}

function missingIn(page: ServedPage, known: readonly number[]): number {
  const back = new Set(windowOf(page, EVERYTHING, "slice", 0).pks);
  return known.filter((pk) => !back.has(pk)).length;
}
