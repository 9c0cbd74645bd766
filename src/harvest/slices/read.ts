/**
 * Reads a list in atomic slices (docs/walk.md, section 3): one request each, so that the order does not matter. Slices are
 * cut by text length.
 *
 * The contract names neither the unit of length nor whether bounds are inclusive, so neighbouring slices share one length
 * until the service has shown that both bounds are inclusive.
 */
import { ServerFault } from "../../contract/errors.ts";
import { servedTextOf } from "../../contract/quote.ts";
import { UNDETERMINED } from "../../contract/languages.ts";
import { filterName, type Filter, type ServedPage } from "../../contract/window.ts";
import { eachOf } from "../../util/work.ts";
import type { Run } from "../../snapshot/index.ts";
import { BoundReached, idleAllowed } from "../bound.ts";
import { countRecords, keysOf, windowOf, type HarvestContext } from "../context.ts";
import { Evidence } from "../evidence.ts";
import { RecordMoves } from "../failing-pages.ts";
import { BrokenRecords } from "../broken-records.ts";
import { isRefused, orNull } from "../optional.ts";
import { countMissing, intersect, summarise } from "../answers.ts";
import { MOST_ANSWERS, Pages } from "../pages.ts";
import { keeps } from "../selection.ts";
import { TOO_FEW, UNORDERED, type ChainState } from "../walk/chain.ts";
import { guardAgainstSize } from "../walk/guards.ts";
import { knownIn, knownLanguages, knownLengths } from "./known.ts";
import { hidesListed } from "./listed.ts";
import { isWithin } from "../units.ts";
import { endByRows } from "./end-by-rows.ts";
import { testLengths } from "./lengths.ts";
import { readInPasses } from "./passes.ts";
import { untilAgreed } from "./refusals.ts";
import { chooseVersions } from "./versions.ts";
import { bisect, FILL, FILL_KNOWN, isOneLength, type LengthCount, planSlices } from "./plan.ts";

/** Outcome of reading a list in slices; stored with the run. */
const EMPTY_OUTCOME = {
  /** Why the slices are not a proof; null when they are. */
  flaw: null as string | null,
  /** Slices of one length that were cut by language, and whose whole is still to be compared with their parts. */
  cutByLanguage: [] as readonly Filter[],
  /** Whether a length too common for a page was read by language: then quotes of an unseen language are missing. */
  hasLanguages: false,
  /** Whether each slice was read twice. */
  twice: false,
  /** Whether all slices were read once more, since they showed fewer quotes than the list has rows. */
  again: false,
};

export type Sliced = Readonly<typeof EMPTY_OUTCOME>;

const FLAW_MOVED = "more quotes of one length than a page holds, in an order that is no proof";
const FLAW_LESS = "a slice does not return the quotes that are known in it";
const FLAW_HIDES = "the list shows quotes that no slice does";
const FLAW_LANGUAGES = "a length has more rows than quotes in the languages seen";
const FLAW_FAILS = "a record makes the service fail, at another place in each answer";
const FLAW_CUT = "slices are cut without saying so, and one of a single length is";
const FLAW_COST = "slices take more requests than a run may send";

/** Pages up to which a length is read by windows; a longer one is read by language. */
const MOST_PAGES_BY_WINDOWS = 3;
/** Times that the rest of a length is read by language, when its whole shows languages that were not seen. */
const MOST_CHECKS = 3;
/** Last windows of the walk of which one is surely a full page: the end, or rows after hidden ones, are found with smaller ones. */
const RECENT_PAGES = 16;
/** Quotes that may come in between the walk and its slices: so many, or this share. */
const MOST_INSERTED = 5;
const INSERTED_SHARE = 0.05;
/** Slices of the same most rows that show where a service cuts them without a `next`. */
const AS_FULL = 3;
/** Share of the bound of a run (docs/walk.md, section 7) that slices may use. */
const SHARE_OF_BOUND = 0.9;

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
  given: HarvestContext,
  expected: number | null,
): Promise<Sliced | null> {
  const { store, report } = given;
  report({ kind: "phase", phase: "slice" });
  const recent = store.lastWindows(filterName(filter), RECENT_PAGES).map(({ got }) => got);
  const pageSize = recent.length === 0 ? chain.pageSize : Math.max(1, ...recent);
  const get = chain.saysNext ? given.get : endByRows(given.get, pageSize);
  const { heeded, inclusive } = await testLengths(filter, { ...given, get });
  if (!heeded) return null;
  const context = { ...given, get: untilAgreed(get) };
  // A record does not show whether it is curated. In other lists the walk is one of two answers, unless it may have missed
  // quotes.
  const isAnswer = [UNORDERED, TOO_FEW].includes(chain.unstable ?? "") || chain.overcounted;
  const needsTwo = filter.curated || !isAnswer || chain.shifted || chain.repaired > 0;
  const rows = chain.circular ? 0 : chain.end - chain.vacant;
  const plan = (): void => {
    const known = knownLengths(context, filter);
    const seen = known.reduce((sum, { quotes }) => sum + quotes, 0);
    // Where rows come more than once, also of a list that goes round in circles, fewer quotes fill a page.
    const share = seen / Math.max(1, seen, chain.end - chain.vacant, expected ?? 0);
    // Little is known of a list that was not read to its end.
    const fill = share > FILL_KNOWN && !chain.circular ? FILL_KNOWN : FILL;
    const most = Math.max(1, Math.floor(pageSize * share * fill));
    store.planSlices(filterName(filter), planSlices(filter, known, most, inclusive));
  };
  const reader = new SliceReader(filter, context, { inclusive, needsTwo, chain, pageSize });
  const isPlanned = store.openSlices(filterName(filter)) !== null;
  if (!isPlanned || (needsTwo && !reader.outcome.twice)) {
    plan();
    reader.save({ twice: needsTwo });
  }
  try {
    await reader.run();
    // A slice of one answer may lack a quote that moved past the walk, and a walk that a false end cut short is no answer.
    const sliced = store.countSliced(filter);
    const isShort =
      chain.windows > 0 && sliced - rows > Math.max(MOST_INSERTED, rows * INSERTED_SHARE);
    if (!needsTwo && !reader.outcome.again && (sliced < rows || isShort)) {
      plan();
      reader.save({ again: true });
      await reader.run();
    }
    const hasMore = reader.outcome.hasLanguages && store.countSliced(filter, true) < rows;
    if (hasMore) reader.save({ flaw: FLAW_LANGUAGES });
    const mayHide = chain.windows > 0 && reader.outcome.flaw === null;
    if (mayHide && (await hidesListed(filter, context, inclusive))) {
      reader.save({ flaw: FLAW_HIDES });
    }
  } catch (error) {
    if (error instanceof BoundReached) {
      reader.save({ flaw: reader.outcome.flaw ?? FLAW_COST });
      return reader.outcome;
    }
    // A request for slices must not end a run; without slices, the walk of the list is its result.
    if (isRefused(error) || error instanceof FilterNotHeeded) return null;
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

/** Two answers to a slice showed quotes of other lengths. */
class FilterNotHeeded extends Error {}

interface ReaderOptions {
  /** Whether both bounds are inclusive. */
  readonly inclusive: boolean;
  /** Whether each slice needs two answers. */
  readonly needsTwo: boolean;
  readonly chain: ChainState;
  /** Records of a page; the service may have made its pages smaller during the walk. */
  readonly pageSize: number;
}

/** A slice whose answer was not cut, as far as it says. */
interface Ended {
  readonly slice: Filter;
  readonly rows: number;
  /** Of the texts in it, in code points. */
  readonly lengths: readonly number[];
}

class SliceReader {
  readonly #filter: Filter;
  readonly #context: HarvestContext;
  readonly #options: ReaderOptions;
  outcome: Sliced;
  #slicesRead = 0;
  /** Characters of slices that failed, as far as known, in order. */
  #failed: readonly number[] = [];
  /** Slices that came with an end, as a service has them that cuts a list without saying so. */
  #ended: Ended[] = [];
  #mostRows = 0;
  /** Whether the halves of such a slice had more quotes. */
  #endsEarly = false;
  /** Requests that slices have sent, and records of the last page that was full. */
  #sent = 0;
  #pageSize: number;

  constructor(filter: Filter, context: HarvestContext, options: ReaderOptions) {
    this.#filter = filter;
    this.#options = options;
    this.#context = {
      ...context,
      // Once a walk of this run has read the list, quotes that it did not see may have been deleted.
      published: options.chain.windows === 0 ? (context.published ?? null) : null,
      get: (...request) => {
        this.#sent++;
        return context.get(...request);
      },
    };
    this.#pageSize = options.pageSize;
    this.outcome = { ...EMPTY_OUTCOME, ...context.store.state<Sliced>(outcomeName(filter)) };
  }

  /** Reads all open slices, and checks the lengths that were cut by language. */
  async run(): Promise<void> {
    const { store, concurrency } = this.#context;
    for (;;) {
      const open = store.openSlices(filterName(this.#filter)) ?? [];
      if (open.length > 0) await eachOf(open, concurrency, (slice) => this.#readSlice(slice));
      else if (!(await this.#checkLanguages()) && !(await this.#checkEnds())) return;
    }
  }

  /**
   * Reads the halves of slices that may have been cut without a `next`: as full as a page, or several as full as none is fuller.
   *
   * @returns whether other slices are open again
   */
  async #checkEnds(): Promise<boolean> {
    const { store } = this.#context;
    const fullest = this.#ended.filter(({ rows }) => rows === this.#mostRows);
    const isFull = this.#mostRows >= this.#pageSize || fullest.length >= AS_FULL;
    this.#ended = [];
    // A walk to the end has shown what a slice must bring back, and so has one that goes round in circles.
    const { cut, circular, saysNext } = this.#options.chain;
    if ((saysNext && !cut) || circular || !(isFull || this.#endsEarly)) return false;
    const before = store.countSliced(this.#filter);
    const halved = fullest.map((ended) => ({ ...ended, halves: this.#halvesOf(ended) }));
    for (const { slice, halves } of halved) this.#settle(slice, halves ?? []);
    const open = store.openSlices(filterName(this.#filter)) ?? [];
    await eachOf(open, this.#context.concurrency, (slice) => this.#readSlice(slice));
    this.#endsEarly ||= store.countSliced(this.#filter) > before;
    if (this.#endsEarly && halved.some(({ halves }) => halves === null)) {
      this.save({ flaw: this.outcome.flaw ?? FLAW_CUT });
    }
    return open.length > 0;
  }

  #halvesOf({ slice, lengths }: Ended): Filter[] | null {
    const { inclusive } = this.#options;
    return isOneLength(slice, inclusive) ? null : bisect(slice, lengths, inclusive);
  }

  /** Characters from which on a slice is not tried: the lightest that failed may have failed by chance. */
  get #tooHeavy(): number {
    return this.#failed[1] ?? Infinity;
  }

  /** Whether the slices have sent as many requests as a run may send for nothing. */
  get #isSpent(): boolean {
    const { store, expected } = this.#context;
    const quotes = Math.max(store.quotesSeen, expected ?? 0, this.#options.chain.end);
    const allowed = SHARE_OF_BOUND * idleAllowed(quotes, this.#pageSize);
    return this.#sent >= allowed + store.searches;
  }

  /** Reads a slice; one with a record that makes it fail and has no place in it stays unread. */
  async #readSlice(slice: Filter): Promise<void> {
    try {
      await this.#readOpen(slice);
    } catch (error) {
      if (!(error instanceof RecordMoves)) throw error;
      this.save({ flaw: this.outcome.flaw ?? FLAW_FAILS });
      this.#settle(slice, []);
    }
  }

  async #readOpen(slice: Filter): Promise<void> {
    if (this.#isSpent) this.save({ flaw: this.outcome.flaw ?? FLAW_COST });
    // Without all slices, nothing is known of a list whose walk was cut short.
    const isFutile = this.#options.chain.cut && this.outcome.flaw !== null;
    if (this.#isSpent || isFutile) return this.#settle(slice, []);
    const { inclusive } = this.#options;
    const isOne = isOneLength(slice, inclusive);
    const languages = isOne && this.#isLong(slice) ? this.#languagesOf(slice) : [];
    if (languages.length > 0) {
      this.save({ cutByLanguage: [...this.outcome.cutByLanguage, slice], hasLanguages: true });
      const parts = languages.map((language) => ({ ...slice, language }));
      return this.#settle(slice, parts);
    }
    const canBeCut = !isOne && !this.#hasBrokenRecords;
    const known = canBeCut
      ? this.#knownLengths(slice).flatMap(({ length, quotes }) =>
          new Array<number>(quotes).fill(length),
        )
      : [];
    const halves = canBeCut ? bisect(slice, known, inclusive) : null;
    const weight = known.reduce((sum, length) => sum + length, 0);
    if (halves !== null && weight >= this.#tooHeavy) return this.#settle(slice, halves);
    const mayHoldRefused = this.#hasBrokenRecords;
    const pages = new Pages(slice, this.#context, { canBeCut: halves !== null, mayHoldRefused });
    if (isOne && this.#countKnown(slice) > this.#pageSize) return this.#pass(pages);
    // A slice that fails twice is probably too heavy: its halves cost less than a search for the size that works.
    const isHeavy = (error: unknown): boolean => halves !== null && error instanceof ServerFault;
    let page = await orNull(this.#read(pages), isHeavy);
    if (page === null) {
      // Where the service fails as a whole, it is waited for.
      await this.#context.get(this.#filter, 0, 1);
      page = await orNull(this.#read(pages), isHeavy);
    }
    if (page === null) {
      this.#failed = [...this.#failed, weight].sort((a, b) => a - b);
      return this.#settle(slice, halves ?? []);
    }
    if (page.next !== null) this.#pageSize = countRecords(page);
    // Code points are the most likely unit.
    const lengths = page.quotes.map((quote) => [...servedTextOf(quote)].length);
    const instead = page.next === null ? [] : bisect(slice, lengths, inclusive);
    if (instead === null) return this.#pass(pages);
    if (page.next === null) {
      const rows = countRecords(page);
      this.#ended.push({ slice, rows, lengths });
      this.#mostRows = Math.max(this.#mostRows, rows);
    }
    this.#save(page, slice, instead);
  }

  /** Reads a slice of one length that is larger than a page. */
  async #pass(pages: Pages): Promise<void> {
    const slice = pages.filter;
    const { inclusive, needsTwo } = this.#options;
    const known = knownIn(this.#context, slice, inclusive);
    // Without a walk of this run, quotes may have been deleted since they were published.
    const mayLack = this.#isAtOnce ? Math.floor(known.length / 10) : 0;
    // Where offsets mean nothing, windows mean nothing either.
    const read = this.#options.chain.circular
      ? null
      : await readInPasses(pages, { known, mayAgree: !needsTwo, mayLack, mayAdd: this.#isAtOnce });
    if (read === null) this.save({ flaw: FLAW_MOVED });
    const { keys = [], curated = [] } = read ?? {};
    const whole = { offset: 0, quotes: curated, quarantined: [], shape: "envelope" as const };
    const page: ServedPage = { ...whole, next: null, count: null };
    this.#save(page, slice, [], keys);
  }

  /** Whether no walk of this run read the list: it is known to be unordered. */
  get #isAtOnce(): boolean {
    return this.#options.chain.windows === 0;
  }

  #save(
    page: ServedPage,
    slice: Filter,
    instead: readonly Filter[],
    pks: readonly number[] = keysOf(page),
  ): void {
    const { store, selection, report } = this.#context;
    const of = filterName(this.#filter);
    const window = windowOf(page, slice, "slice");
    store.save({
      window: { ...window, pks, got: Math.max(window.got, pks.length) },
      quotes: page.quotes.filter(keeps(selection)),
      quarantined: page.quarantined,
      slice: { of, slice, instead },
    });
    const windows = ++this.#slicesRead;
    report({ kind: "window", windows, quotes: store.quotesSeen, expected: null });
    guardAgainstSize(this.#context);
  }

  #settle(slice: Filter, instead: readonly Filter[]): void {
    this.#context.store.settleSlice({ of: filterName(this.#filter), slice, instead });
  }

  /** Whether the walk found records that make the service fail: then one of them is probably in a slice that fails. */
  get #hasBrokenRecords(): boolean {
    return !new BrokenRecords(this.#filter, this.#context.store).isEmpty;
  }

  /** Known quotes in a slice, by length. */
  #knownLengths({ minLength, maxLength, language }: Filter): LengthCount[] {
    const margin = this.#options.inclusive ? 0 : 1;
    const bounds = [(minLength ?? 0) + margin, (maxLength ?? Infinity) - margin] as const;
    return knownLengths(this.#context, { ...this.#filter, language }, ...bounds);
  }

  #countKnown(slice: Filter): number {
    return this.#knownLengths(slice).reduce((sum, { quotes }) => sum + quotes, 0);
  }

  /** Whether a length has more quotes than a few windows hold. */
  #isLong(slice: Filter): boolean {
    return this.#countKnown(slice) > MOST_PAGES_BY_WINDOWS * this.#pageSize;
  }

  /** Languages by which a slice of one length can be cut; none when it cannot. */
  #languagesOf(slice: Filter): string[] {
    if (slice.language !== null) return [];
    const languages = knownLanguages(this.#context, slice);
    // The service cannot be asked for quotes without a language: then languages do not cover the slice.
    return languages.length < 2 || languages.includes(UNDETERMINED) ? [] : languages;
  }

  /**
   * Compares the next length that was cut by language with its parts: its last rows must be known, and no more rows than
   * quotes. Quotes of a language that was not seen are read by that language.
   *
   * @returns whether there was one
   */
  async #checkLanguages(): Promise<boolean> {
    const [slice, ...rest] = this.outcome.cutByLanguage;
    if (slice === undefined) return false;
    const { store } = this.#context;
    const pages = new Pages(slice, this.#context);
    for (let check = 0; check < MOST_CHECKS && !this.#isSpent; check++) {
      const known = new Set(store.keysOfLength(slice));
      const offset = Math.max(0, known.size - Math.max(1, this.#pageSize - 1));
      const page = await pages.confirm(await pages.request(offset));
      const isEnd = page.next === null && offset + countRecords(page) === known.size;
      if (isEnd && keysOf(page).every((pk) => known.has(pk))) {
        this.save({ cutByLanguage: rest });
        return true;
      }
      const parts = new Set(page.quotes.map(({ language }) => language));
      const asked = new Set(knownLanguages(this.#context, slice));
      const unseen = [...parts].filter((language) => !asked.has(language));
      for (const language of unseen) await this.#readSlice({ ...slice, language });
    }
    this.save({ cutByLanguage: rest, flaw: FLAW_LANGUAGES });
    return true;
  }

  /** Reads a slice. If it is not whole or lacks known quotes, requests it until two answers agree. */
  async #read(pages: Pages): Promise<ServedPage> {
    const slice = pages.filter;
    const { inclusive, needsTwo } = this.#options;
    // A quote strictly between these bounds is surely in the slice.
    const known = knownIn(this.#context, slice, inclusive);
    const answers: ServedPage[] = [];
    // With few requests a run, answers of earlier runs count too; of a curated list both are needed in one.
    const evidence = new Evidence(
      this.#context.store,
      "a slice is smaller than what is known of it",
      filterName(slice),
    );
    if (slice.curated) evidence.discard();
    let agreed: ServedPage | null = null;
    let hasFailed = false;
    // What quotes say is not asked of a slice that is cut and read again.
    const isContested = (): boolean =>
      !slice.curated && agreed?.next === null && chooseVersions(answers).isContested;
    const isOpen = (): boolean => agreed === null || isContested();
    while (isOpen() && (answers.length === 0 || evidence.shown.length < MOST_ANSWERS)) {
      // Each time another address: a cache would repeat its answer.
      const limit = Math.max(1, this.#context.pageSize - evidence.shown.length);
      // A slice that was served is not too heavy: one of several servers fails.
      const isServed = (error: unknown): boolean =>
        answers.length > 0 && !hasFailed && error instanceof ServerFault;
      const page = await orNull(pages.request(0, limit), isServed);
      hasFailed ||= page === null;
      if (page === null) continue;
      // A slice that is too large is cut and read again.
      const isTooLarge = page.next !== null && !slice.curated;
      // What an earlier answer showed may be hidden in this one.
      const shown = answers.filter((one) => isWithin(one.quotes, slice)).flatMap(keysOf);
      const hidesNone = countMissing(page, shown) === 0;
      const mayBeEnough = (isTooLarge || (!needsTwo && hidesNone)) && !pages.hasUnconfirmed(page);
      if (mayBeEnough && !isSuspect(page, slice, known)) {
        if (evidence.shown.length > 0) evidence.discard();
        return pages.checkContents(page);
      }
      answers.push(page);
      evidence.add(summarise(page));
      const bringsBack = page.next !== null || countMissing(page, known) <= known.length / 2;
      if (evidence.agrees(page.shape === "envelope" && bringsBack)) agreed ??= page;
    }
    evidence.discard();
    if (agreed === null) this.save({ flaw: FLAW_LESS });
    const last = agreed ?? answers.at(-1);
    if (last === undefined) throw new RangeError("a slice was not read");
    if (answers.every((page) => !isWithin(page.quotes, slice))) throw new FilterNotHeeded();
    // Only quotes in both answers count as curated.
    if (slice.curated) return intersect(last, answers.at(-2) ?? last);
    // Of versions that are shown as often, that of an answer within the bounds: the other answer may have false texts.
    const sorted = answers.toSorted(
      (one, other) => Number(isWithin(one.quotes, slice)) - Number(isWithin(other.quotes, slice)),
    );
    return pages.checkContents({ ...last, quotes: chooseVersions(sorted).quotes }, answers);
  }

  /** Must be called before the slice is settled: a crash between the two would lose the flaw. */
  save(found: Partial<Sliced>): void {
    this.outcome = { ...this.outcome, ...found };
    this.#context.store.saveState(outcomeName(this.#filter), this.outcome);
  }
}

/** Whether a page hides rows, ignores its filter, or lacks known quotes: then another answer is needed. */
function isSuspect(page: ServedPage, slice: Filter, known: readonly number[]): boolean {
  if (page.shape !== "envelope" || !isWithin(page.quotes, slice)) return true;
  // A page with a `next` is cut, whatever else it lacks.
  if (page.next !== null) return countRecords(page) === 0;
  // With less than half of the slice known, only a second answer to the same request is a check.
  if (known.length < Math.max(1, countRecords(page) / 2)) return true;
  return countMissing(page, known) >= Math.max(1, known.length / 10);
}
