/**
 * Reconciliation (docs/walk.md, section 5): a quote of the published snapshot that a complete walk did not meet is asked
 * for by its language and length, together with others of about its length. It is gone where the same question brought
 * its neighbours back without it; everything else means nothing, and the quote is asked for another night.
 */
import type { KnownQuote } from "../snapshot/published/gap.ts";
import { UNDETERMINED } from "../contract/languages.ts";
import type { Filter, ServedPage } from "../contract/window.ts";
import { keepPage, type HarvestContext } from "./context.ts";
import { areBack, concludes } from "./evidence.ts";
import type { Optional } from "./optional.ts";
import { sizeOf } from "./pages.ts";
import { keeps, passes } from "./selection.ts";
import { isWithin, UNITS, wordsOf, type Unit } from "./slices/lengths.ts";

export interface Reconciled {
  readonly found: readonly number[];
  /** Keys of quotes that are not there, or no longer pass the selection. */
  readonly gone: readonly number[];
  /** Keys of quotes that nothing is known of: they stay published. */
  readonly unprobed: readonly number[];
}

export interface Probing {
  /** The lists of the selection. */
  readonly lists: readonly Filter[];
  /** Quotes that are known to be there, in a language or in all, between two lengths in one unit or another. */
  readonly neighbours: (
    language: string | null,
    low: number,
    high: number,
  ) => readonly KnownQuote[];
  readonly optional: Optional;
  /** Records that the service sends in one page. */
  readonly pageSize: number;
  /** Requests at most. */
  readonly budget: number;
}

/** Pages of quotes of one length that are worth reading for one quote. */
const MOST_PAGES = 8;
/** How far from a quote's length its neighbours are looked for: further, where there are none. */
const REACHES = [100, 512, 4_096, 1_000_000] as const;
/** Share of a page that known quotes may fill: those that are new need room as well. */
const FILL = 0.85;

/** Requests that may be spent on asking for what is missing, after a walk of so many. */
export function probesAllowed(walkRequests: number): number {
  return 50 + Math.floor(walkRequests / 10);
}

/** @param missing those first that are to be asked for first */
export async function reconcile(
  missing: readonly KnownQuote[],
  probing: Probing,
  context: HarvestContext,
): Promise<Reconciled> {
  if (missing.length > 0) context.report({ kind: "phase", phase: "reconcile" });
  const probe = new Probe(missing, probing, context);
  for (const quote of missing) await probe.ask(quote);
  const keys = (wanted: Verdict): number[] =>
    missing.filter((quote) => probe.verdictOn(quote) === wanted).map(({ id }) => id);
  return { found: keys("found"), gone: keys("gone"), unprobed: keys("unknown") };
}

type Verdict = "found" | "gone" | "unknown";

interface Question {
  readonly list: Filter;
  /** Null for all languages. */
  readonly language: string | null;
  readonly low: number;
  readonly high: number;
  /** Missing quotes that it may settle. */
  readonly covered: number;
}

/** A missing quote, and how it may be asked for. */
interface Sought {
  readonly quote: KnownQuote;
  readonly list: Filter;
  readonly unit: Unit;
}

/** Lengths of the quotes near one, in a language or in all, in order. */
type Neighbourhood = Pick<Question, "language"> & { readonly lengths: readonly number[] };

class Probe {
  readonly #missing: readonly KnownQuote[];
  readonly #probing: Probing;
  readonly #context: HarvestContext;
  /** Keys that came back, and whether the quote still passes the selection. */
  readonly #seen = new Map<number, boolean>();
  /** Missing quotes with each list and unit in which their neighbours came back without them. */
  readonly #absent = new Set<string>();
  /** Questions that were asked, as JSON: bounds in another unit may be the same. */
  readonly #asked = new Set<string>();
  /** Units that no answer has refuted. */
  #units: readonly Unit[] = UNITS;
  #left: number;

  constructor(missing: readonly KnownQuote[], probing: Probing, context: HarvestContext) {
    this.#missing = missing;
    this.#probing = probing;
    this.#context = context;
    this.#left = probing.budget;
  }

  verdictOn(quote: KnownQuote): Verdict {
    const passing = this.#seen.get(quote.id);
    if (passing !== undefined) return passing ? "found" : "gone";
    const asked = this.#listsOf(quote).flatMap((list) =>
      this.#units.map((unit) => !this.#isOpen({ quote, list, unit })),
    );
    return asked.length > 0 && !asked.includes(false) ? "gone" : "unknown";
  }

  async ask(quote: KnownQuote): Promise<void> {
    for (const list of this.#listsOf(quote)) {
      for (const unit of UNITS) {
        if (this.verdictOn(quote) !== "unknown") return;
        if (!this.#isOpen({ quote, list, unit })) continue;
        if (this.#left <= 0 || this.#probing.optional.isSpent) return;
        for (const question of this.#questionsFor({ quote, list, unit })) {
          const name = JSON.stringify(question);
          if (this.#asked.has(name)) continue;
          this.#asked.add(name);
          const pages = await this.#read(question);
          if (pages === null) return;
          this.#learn(question, pages);
          if (this.verdictOn(quote) !== "unknown") return;
        }
      }
    }
  }

  /** In its language, and in all where they are few: first what settles more of the missing quotes. */
  #questionsFor(sought: Sought): readonly Question[] {
    const own = this.#questionAmong(this.#around(sought), sought);
    const all = this.#lengthsNear(sought, null, REACHES[0]);
    if (own.language === null || all.length >= 2 * this.#probing.pageSize) return [own];
    const any = this.#questionAmong({ language: null, lengths: all }, sought);
    return any.covered > own.covered ? [any, own] : [own, any];
  }

  /** Bounds that hold a quote and its neighbours, and as many missing quotes as one page can settle. */
  #questionAmong({ language, lengths }: Neighbourhood, { quote, list, unit }: Sought): Question {
    const length = unit(quote.words);
    const others = this.#missing
      .filter((one) => language === null || one.language === language)
      .map(({ words }) => unit(words))
      .sort((a, b) => a - b);
    const room = Math.floor(this.#probing.pageSize * FILL);
    const farthest = (others.at(-1) ?? length) + 1;
    let [low, high, covered] = [length - 1, length + 1, 0];
    for (const least of others) {
      const overfull = lengths.filter((one) => one >= least - 1)[room];
      const most = Math.min(farthest, (overfull ?? Infinity) - 1);
      const settled = others.filter((one) => one >= least && one < most).length;
      if (least <= length && most > length && settled > covered) {
        [low, high, covered] = [least - 1, most, settled];
      }
    }
    // A neighbour is only sure to come back from within the bounds: they need not include themselves.
    const isHeld = (one: number): boolean => one > low && one < high;
    while (lengths.length > 0 && lengths.filter(isHeld).length < Math.min(2, lengths.length)) {
      [low, high] = [low - 1, high + 1];
    }
    return { list, language, low: Math.max(0, low), high, covered };
  }

  /** The quotes near one, in order of length: those in its language, or where it is alone there, any. */
  #around(sought: Sought): Neighbourhood {
    for (const reach of REACHES) {
      for (const language of [sought.quote.language, null]) {
        const lengths = this.#lengthsNear(sought, language, reach);
        if (lengths.length > 0) return { language, lengths };
      }
    }
    return { language: sought.quote.language, lengths: [] };
  }

  #lengthsNear({ quote, list, unit }: Sought, language: string | null, reach: number): number[] {
    const length = unit(quote.words);
    return this.#probing
      .neighbours(language, length - reach, length + reach)
      .filter(passes(list))
      .map((one) => unit(one.words))
      .filter((one) => Math.abs(one - length) < reach)
      .sort((a, b) => a - b);
  }

  /** All that a question brings; null where it cannot be read whole. */
  async #read({ list, language, low, high }: Question): Promise<readonly ServedPage[] | null> {
    const filter: Filter = {
      ...list,
      // A quote without a language has none to be asked for.
      language: language === null || language === UNDETERMINED ? list.language : language,
      minLength: low,
      maxLength: high,
    };
    const { get, pageSize, overlap } = this.#context;
    const pages: ServedPage[] = [];
    for (let offset = 0; pages.length < MOST_PAGES;) {
      if (this.#left-- <= 0) return null;
      const page = await this.#probing.optional.ask(() => get(filter, offset, pageSize, "once"));
      if (page === null || page.shape !== "envelope") return null;
      // A record of which not even the key can be read may be the one that is asked for.
      if (page.quarantined.some(({ pk }) => pk === null)) return null;
      pages.push(page);
      if (!isWithin(page.quotes, filter)) return pages;
      keepPage(this.#context, page, filter, "probe");
      if (page.next === null) return pages;
      offset += Math.max(1, sizeOf(page) - overlap);
    }
    return null;
  }

  /** What the answer says of units, of what came back, and of what is absent though its neighbours are there. */
  #learn({ list, language, low, high }: Question, pages: readonly ServedPage[]): void {
    const quotes = pages.flatMap((page) => page.quotes);
    const isIn = (length: number): boolean => length >= low && length <= high;
    this.#units = this.#units.filter((unit) => quotes.every((one) => isIn(unit(wordsOf(one)))));
    const isKept = keeps(this.#context.selection);
    for (const quote of quotes) this.#seen.set(quote.id, isKept(quote));
    for (const { pk } of pages.flatMap((page) => page.quarantined)) this.#seen.set(pk ?? 0, true);
    const near = this.#probing.neighbours(language, low, high).filter(passes(list));
    for (const unit of this.#units) {
      const isInside = ({ words }: KnownQuote): boolean => unit(words) > low && unit(words) < high;
      const known = near.filter(isInside);
      for (const quote of this.#missing.filter(isInside)) {
        if (![null, quote.language].includes(language)) continue;
        const mates = known.filter((one) => one.language === quote.language);
        const isAlone = mates.length === 0 && this.#around({ quote, list, unit }).language === null;
        const control = isAlone ? known : mates;
        const lacking = control.filter(({ id }) => !this.#seen.has(id)).length;
        const evidence = { shown: ["absent"], control: areBack(control.length, lacking) };
        if (concludes("a quote is gone", evidence))
          this.#absent.add(this.#name({ quote, list, unit }));
      }
    }
  }

  /** Lists of the selection that the quote was in when it was last seen. */
  #listsOf(quote: KnownQuote): readonly Filter[] {
    return this.#probing.lists.filter((list) => passes(list)(quote));
  }

  /** Whether a unit is not refuted, and the quote was not found absent in it. */
  #isOpen(sought: Sought): boolean {
    return this.#units.includes(sought.unit) && !this.#absent.has(this.#name(sought));
  }

  #name({ quote, list, unit }: Sought): string {
    return `${quote.id} ${this.#probing.lists.indexOf(list)} ${UNITS.indexOf(unit)}`;
  }
}
