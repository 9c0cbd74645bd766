/**
 * Reconciliation (docs/walk.md, section 5): probes published quotes that a complete walk did not see, by language and
 * length, together with their neighbours, and where that shows nothing by their place in a list in key order. A quote is gone when
 * its neighbours came back without it. In every other case it stays published and is probed again in another run.
 */
import type { KnownQuote } from "../snapshot/index.ts";
import { UNDETERMINED } from "../contract/languages.ts";
import { type Quote, servedTextOf } from "../contract/quote.ts";
import { filterNamed, type Filter, type ServedPage } from "../contract/window.ts";
import { readPlace } from "./by-place.ts";
import { countRecords, isEndOfList, keysOf, savePage, type HarvestContext } from "./context.ts";
import { concludes, haveReturned } from "./evidence.ts";
import type { Optional } from "./optional.ts";
import { filtersOf, keeps, passes } from "./selection.ts";
import { endByRows } from "./slices/end-by-rows.ts";
import { knownFilter } from "./slices/lengths.ts";
import { FILL } from "./slices/plan.ts";
import { isWithin, UNITS, type Unit } from "./units.ts";

export interface ProbeOptions {
  /** Lists quotes known to exist, in a language or in all (null), whose length in some unit may be within two bounds. */
  readonly neighbours: (language: string | null, low: number, high: number) => KnownQuote[];
  readonly optional: Optional;
  /**
   * Quotes that a walk of an earlier run did not see either. Between the walks of two lists a quote may move from one to
   * the other: where there are several lists, only these quotes may be gone. So it is where only their place shows it.
   */
  readonly missedBefore: ReadonlySet<number>;
  /** Records that the service sends in one page; 0 when unknown. */
  readonly pageSize: number;
  /** Most requests. */
  readonly budget: number;
  /** Questions that this run has asked; those asked are added. */
  readonly asked: Set<string>;
}

/** Places that cannot be read, after which no more are asked for in a run. */
const MOST_FAILED = 2;
/** Most pages to read for one question. */
const MOST_PAGES = 32;
/** Differences in length within which the quote's language may have more neighbours than a page holds. */
const NEAR_REACHES = [3, 10, 30] as const;
/** The same where it has fewer; each is used if the one before finds none. */
const REACHES = [100, 512, 4_096, 1_000_000] as const;

/** Most requests for probes, by the number of requests of the walk: one percent of a list is missing on most of its pages. */
export function probesAllowed(walkRequests: number): number {
  return 50 + walkRequests;
}

type Presence = "found" | "gone" | "unknown";

/**
 * @param missing quotes in the order in which to probe them
 * @returns their keys: a quote that is gone no longer exists or passes the selection; one that is unknown stays published
 */
export async function reconcile(
  missing: readonly KnownQuote[],
  options: ProbeOptions,
  context: HarvestContext,
): Promise<Readonly<Record<Presence, readonly number[]>>> {
  if (missing.length > 0) context.report({ kind: "phase", phase: "reconcile" });
  const probe = new Probe(missing, options, context);
  probe.useSlices();
  for (const quote of missing) await probe.ask(quote);
  for (const quote of missing) {
    if (options.missedBefore.has(quote.id)) await probe.askPlace(quote);
  }
  const keys = (wanted: Presence): number[] =>
    missing.filter((quote) => probe.conclude(quote) === wanted).map(({ id }) => id);
  return { found: keys("found"), gone: keys("gone"), unknown: keys("unknown") };
}

interface Bounds {
  readonly list: Filter;
  /** Null for all languages. */
  readonly language: string | null;
  readonly low: number;
  readonly high: number;
}

interface Question extends Bounds {
  /** Number of missing quotes within its bounds. */
  readonly covered: number;
}

/** A missing quote, with a list and a unit of length by which to probe it. */
interface Target {
  readonly quote: KnownQuote;
  readonly list: Filter;
  readonly unit: Unit;
}

/** Sorted lengths of a quote's neighbours within a reach, in a language or in all (null). */
type Neighbourhood = Pick<Question, "language"> & {
  readonly lengths: readonly number[];
  readonly reach: number;
};

/** The units in which all quotes are within some bounds. */
const fitting = (
  units: readonly Unit[],
  { low, high }: Bounds,
  quotes: readonly Quote[],
): readonly Unit[] =>
  units.filter((unit) =>
    quotes.map((one) => unit(servedTextOf(one))).every((length) => length >= low && length <= high),
  );

/** Whether a quote is strictly between some bounds in a unit. */
const isInside =
  (unit: Unit, { low, high }: Bounds) =>
  ({ servedText }: KnownQuote): boolean =>
    unit(servedText) > low && unit(servedText) < high;

class Probe {
  readonly #missing: readonly KnownQuote[];
  readonly #options: ProbeOptions;
  readonly #context: HarvestContext;
  /** The lists of the selection. */
  readonly #lists: readonly Filter[];
  /** By key that came back: whether the quote still passes the selection. */
  readonly #seen = new Map<number, boolean>();
  /** Targets whose neighbours came back without the quote, by `#keyOf`. */
  readonly #absent = new Set<string>();
  /** Quotes whose place in a list came back without them, by `#placeOf`. */
  readonly #displaced = new Set<string>();
  /** Places that could not be read. */
  #failed = 0;
  /** Units that no answer has ruled out. */
  #units: readonly Unit[] = UNITS;
  #left: number;

  constructor(missing: readonly KnownQuote[], options: ProbeOptions, context: HarvestContext) {
    this.#missing = missing;
    this.#options = options;
    this.#context = context;
    this.#lists = filtersOf(context.selection);
    this.#left = options.budget;
  }

  conclude(quote: KnownQuote): Presence {
    const verdict = this.#judge(quote);
    const isFirstMiss = !this.#seen.has(quote.id) && !this.#options.missedBefore.has(quote.id);
    const mayHaveMoved = this.#lists.length > 1 && isFirstMiss;
    return verdict === "gone" && mayHaveMoved ? "unknown" : verdict;
  }

  #judge(quote: KnownQuote): Presence {
    const passing = this.#seen.get(quote.id);
    if (passing !== undefined) return passing ? "found" : "gone";
    const lists = this.#listsOf(quote);
    const isGone = (list: Filter): boolean =>
      this.#displaced.has(this.#placeOf(quote, list)) ||
      (this.#units.length > 0 && this.#units.every((unit) => !this.#isOpen({ quote, list, unit })));
    return lists.length > 0 && lists.every(isGone) ? "gone" : "unknown";
  }

  /**
   * Takes the slices of this run as answers: a slice is a question for its lengths, and brings neighbours of what is missing
   * there. The walk of the list is the other answer; where it shows nothing, each slice was read twice. A text may have been
   * edited since its slice was read, so that no unit is ruled out: an answer of this moment does that.
   */
  useSlices(): void {
    const { store } = this.#context;
    const missing = new Set(this.#missing.map(({ id }) => id));
    const read = missing.size === 0 ? [] : store.slicesRead();
    for (const { filter, pks } of read) {
      const { language, tag, curated, minLength, maxLength } = filterNamed(filter);
      const list = this.#lists.find(
        (one) =>
          [null, language].includes(one.language) && one.tag === tag && one.curated === curated,
      );
      // A quote that a slice showed and that is not stored was contested.
      if (list === undefined || pks.some((pk) => missing.has(pk))) continue;
      const margin = knownFilter(list, this.#context)?.inclusive === true ? 1 : 0;
      const [low, high] = [
        minLength === null ? -1 : minLength - margin,
        maxLength === null ? Number.MAX_SAFE_INTEGER : maxLength + margin,
      ];
      const within = { list, language, low, high };
      if (!this.#units.some((unit) => this.#missing.some(isInside(unit, within)))) continue;
      const quotes = store.quotesOf(pks);
      this.#evaluate(within, quotes, fitting(this.#units, within, quotes), new Set(pks));
    }
  }

  async ask(quote: KnownQuote): Promise<void> {
    const { asked } = this.#options;
    for (const target of this.#targetsOf(quote)) {
      if (this.#judge(quote) !== "unknown") return;
      if (!this.#isOpen(target)) continue;
      if (this.#left <= 0 || this.#options.optional.isSpent) return;
      for (const question of this.#planQuestions(target)) {
        // Bounds in two units may be the same.
        const name = JSON.stringify(question);
        if (asked.has(name)) continue;
        const pages = await this.#read(question);
        if (pages === null) return;
        asked.add(name);
        const quotes = pages.flatMap((page) => page.quotes);
        for (const { pk } of pages.flatMap((page) => page.quarantined))
          this.#seen.set(pk ?? 0, true);
        this.#units = fitting(this.#units, question, quotes);
        this.#evaluate(question, quotes, this.#units, new Set(pages.flatMap(keysOf)));
        if (this.#judge(quote) !== "unknown") return;
      }
    }
  }

  /**
   * Asks for the place of a quote, of which filters show nothing, in each list in key order. The list is what did not show it, so an
   * earlier run must have missed it, too. The answer counts for all such quotes there.
   */
  async askPlace(quote: KnownQuote): Promise<void> {
    for (const list of this.#listsOf(quote)) {
      if (this.#judge(quote) !== "unknown" || this.#left <= 0) return;
      if (this.#displaced.has(this.#placeOf(quote, list))) continue;
      if (this.#failed >= MOST_FAILED) return;
      const stretch = await readPlace(list, quote.id, this.#options.pageSize, this.#context);
      this.#left--;
      if (stretch === null) {
        this.#failed++;
        continue;
      }
      const { page } = stretch;
      const isKept = keeps(this.#context.selection);
      for (const came of page.quotes) this.#seen.set(came.id, isKept(came));
      for (const { pk } of page.quarantined) this.#seen.set(pk ?? 0, true);
      const { missedBefore } = this.#options;
      const isMissed = ({ id }: KnownQuote): boolean => missedBefore.has(id) && !this.#seen.has(id);
      for (const other of this.#missing.filter(isMissed)) {
        if (passes(list)(other) && stretch.shows(other.id))
          this.#displaced.add(this.#placeOf(other, list));
      }
    }
  }

  /** Plans a question in the quote's language, and one in all if neighbours are few; the one that covers more first. */
  #planQuestions(target: Target): readonly Question[] {
    const own = this.#planQuestion(this.#findNeighbourhood(target), target);
    const [reach] = REACHES;
    const all = this.#findLengths(target, null, reach);
    if (own.language === null || all.length >= 2 * this.#options.pageSize) return [own];
    const any = this.#planQuestion({ language: null, lengths: all, reach }, target);
    return any.covered > own.covered ? [any, own] : [own, any];
  }

  /** Chooses bounds with the quote, its neighbours, and as many missing quotes as one page can hold. */
  #planQuestion(
    { language, lengths, reach }: Neighbourhood,
    { quote, list, unit }: Target,
  ): Question {
    const length = unit(quote.servedText);
    // Beyond the reach the number of neighbours is unknown, which must fit into the page too.
    const others = this.#missing
      .filter((one) => language === null || one.language === language)
      .map(({ servedText }) => unit(servedText))
      .filter((one) => Math.abs(one - length) < reach)
      .sort((a, b) => a - b);
    const room = this.#room;
    const farthest = (others.at(-1) ?? length) + 1;
    let [low, high, covered] = [length - 1, length + 1, 0];
    for (const least of others) {
      const overfull = lengths.filter((one) => one >= least - 1)[room];
      const most = Math.min(farthest, (overfull ?? Infinity) - 1);
      const within = others.filter((one) => one >= least && one < most).length;
      if (least <= length && most > length && within > covered) {
        [low, high, covered] = [least - 1, most, within];
      }
    }
    // Bounds may be exclusive, so only neighbours strictly between them are sure to come back.
    const isInside = (one: number): boolean => one > low && one < high;
    while (lengths.length > 0 && lengths.filter(isInside).length < Math.min(2, lengths.length)) {
      [low, high] = [low - 1, high + 1];
    }
    return { list, language, low: Math.max(0, low), high, covered };
  }

  /** Known quotes that leave room for new ones in a page. */
  get #room(): number {
    return Math.floor(this.#options.pageSize * FILL);
  }

  /**
   * Finds neighbours in the quote's language, or if it has none there, in all languages. The least reach whose neighbours fill a page is
   * taken: the store lists 2,000 at most, and by a part of the neighbours the bounds of a question would be too wide.
   */
  #findNeighbourhood(target: Target): Neighbourhood {
    const { language } = target.quote;
    for (const reach of NEAR_REACHES) {
      const lengths = this.#findLengths(target, language, reach);
      if (lengths.length > this.#room) return { language, lengths, reach };
    }
    for (const reach of REACHES) {
      for (const language of [target.quote.language, null]) {
        const lengths = this.#findLengths(target, language, reach);
        if (lengths.length > 0) return { language, lengths, reach };
      }
    }
    return { language: target.quote.language, lengths: [], reach: REACHES[0] };
  }

  #findLengths({ quote, list, unit }: Target, language: string | null, reach: number): number[] {
    const length = unit(quote.servedText);
    return this.#options
      .neighbours(language, length - reach, length + reach)
      .filter(passes(list))
      .map((one) => unit(one.servedText))
      .filter((one) => Math.abs(one - length) < reach)
      .sort((a, b) => a - b);
  }

  /** Reads all pages of a question; null where that fails. */
  async #read({ list, language, low, high }: Question): Promise<readonly ServedPage[] | null> {
    const filter: Filter = {
      ...list,
      // The service cannot be asked for quotes without a language.
      language: language === null || language === UNDETERMINED ? list.language : language,
      minLength: low,
      maxLength: high,
    };
    const { pageSize, overlap } = this.#context;
    const get = endByRows(this.#context.get, this.#options.pageSize);
    const pages: ServedPage[] = [];
    const ask = async (offset: number): Promise<ServedPage | null> => {
      if (this.#left-- <= 0) return null;
      return this.#options.optional.ask(() => get(filter, offset, pageSize, "once"));
    };
    for (let offset = 0; pages.length < MOST_PAGES;) {
      // Sent twice: otherwise one failure would keep a quote that was reported published until the next run.
      const page = (await ask(offset)) ?? (await ask(offset));
      if (page === null || page.shape === "record") return null;
      // A record without a readable key may be the missing quote.
      if (page.quarantined.some(({ pk }) => pk === null)) return null;
      pages.push(page);
      if (!isWithin(page.quotes, filter)) return pages;
      savePage(this.#context, page, filter, "probe");
      // Where a service sends a `next` on every page, an empty page ends the list.
      if (isEndOfList(page) || countRecords(page) === 0) return pages;
      // At most a third of a page, as in the walk: pages may be small.
      const records = countRecords(page);
      offset += Math.max(1, records - Math.min(overlap, Math.floor(records / 3)));
    }
    return null;
  }

  /**
   * Records which quotes came back, and which are absent although their neighbours came back.
   *
   * @param units in which all quotes of the answer are within its bounds
   * @param came keys of all records of the answer
   */
  #evaluate(
    bounds: Bounds,
    quotes: readonly Quote[],
    units: readonly Unit[],
    came: ReadonlySet<number>,
  ): void {
    const { list, language, low, high } = bounds;
    const isKept = keeps(this.#context.selection);
    for (const quote of quotes) this.#seen.set(quote.id, isKept(quote));
    const neighbours = this.#options.neighbours(language, low, high).filter(passes(list));
    for (const unit of units) {
      const isStrictlyIn = isInside(unit, bounds);
      const known = neighbours.filter(isStrictlyIn);
      for (const quote of this.#missing.filter(isStrictlyIn)) {
        if (![null, quote.language].includes(language)) continue;
        const inLanguage = known.filter((one) => one.language === quote.language);
        const target = { quote, list, unit };
        const isAlone =
          inLanguage.length === 0 && this.#findNeighbourhood(target).language === null;
        const control = isAlone ? known : inLanguage;
        const lacking = control.filter(({ id }) => !came.has(id)).length;
        const isControlled = haveReturned(control.length, lacking);
        if (concludes("a quote is gone", ["absent"], isControlled)) {
          this.#absent.add(this.#keyOf(target));
        }
      }
    }
  }

  /** Targets of a quote: each list of the selection that contains it as published, in each unit that is left. */
  #targetsOf(quote: KnownQuote): Target[] {
    return this.#listsOf(quote).flatMap((list) =>
      this.#units.map((unit) => ({ quote, list, unit })),
    );
  }

  /** The lists of the selection that contain a quote as published. */
  #listsOf(quote: KnownQuote): Filter[] {
    return this.#lists.filter((list) => passes(list)(quote));
  }

  #placeOf({ id }: KnownQuote, list: Filter): string {
    return `${id} ${this.#lists.indexOf(list)}`;
  }

  /** Whether the unit is not ruled out, and the quote was not found absent in it. */
  #isOpen(target: Target): boolean {
    return this.#units.includes(target.unit) && !this.#absent.has(this.#keyOf(target));
  }

  #keyOf({ quote, list, unit }: Target): string {
    return `${quote.id} ${this.#lists.indexOf(list)} ${UNITS.indexOf(unit)}`;
  }
}
