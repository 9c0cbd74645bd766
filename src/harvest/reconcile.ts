/**
 * Reconciliation (harvest.md §5.7): a quote that stands in the snapshot before and was not seen now is asked for by
 * its language and length. Found means that the walk missed it; not found means that it is gone.
 */
import { StoppedEarly } from "../contract/errors.ts";
import type { MissingQuote } from "../contract/missing.ts";
import { PermanentAnswer } from "../contract/refused-answer.ts";
import { EVERYTHING, type Filter } from "../contract/window.ts";
import { keepPage, type HarvestContext } from "./context.ts";

export interface Reconciled {
  readonly found: number;
  /** Keys of quotes that were asked for and are not there. */
  readonly gone: readonly number[];
  /** Quotes that were not asked for, since the budget ended: they stay published. */
  readonly unprobed: number;
}

/** Units that a service may count a text in; which one is not documented. */
const UNITS: readonly ((text: string) => number)[] = [
  (text) => [...text].length,
  (text) => text.length,
  (text) => Buffer.byteLength(text),
];

/** Pages of quotes of one length that are worth reading for one quote. */
const MOST_PAGES = 8;

/** Requests that may be spent on asking for what is missing, after a walk of so many. */
export function probesAllowed(walkRequests: number): number {
  return 50 + Math.floor(walkRequests / 10);
}

/** @param budget requests at most */
export async function reconcile(
  missing: readonly MissingQuote[],
  curated: boolean,
  context: HarvestContext,
  budget: number,
): Promise<Reconciled> {
  if (missing.length > 0) context.report({ kind: "phase", phase: "reconcile" });
  const probe = new Probe(context, curated, budget);
  const gone: number[] = [];
  let found = 0;
  let unprobed = 0;
  for (const quote of missing) {
    const there = await probe.find(quote);
    if (there === null) unprobed++;
    else if (there) found++;
    else gone.push(quote.id);
  }
  return { found, gone, unprobed };
}

/** Keys of all quotes within bounds of length, or null where they could not be read whole. */
type Listing = { readonly pks: ReadonlySet<number>; readonly words: readonly string[] } | null;

class Probe {
  readonly #context: HarvestContext;
  readonly #curated: boolean;
  readonly #listings = new Map<string, Listing>();
  readonly #seen = new Set<number>();
  #budget: number;

  constructor(context: HarvestContext, curated: boolean, budget: number) {
    this.#context = context;
    this.#curated = curated;
    this.#budget = budget;
  }

  /** Whether the quote is there; null when that could not be found out. */
  async find({ id, language, words }: MissingQuote): Promise<boolean | null> {
    for (const [index, unit] of UNITS.entries()) {
      if (this.#seen.has(id)) return true;
      const length = unit(words);
      if (index > 0 && length === UNITS[index - 1]?.(words)) continue;
      const listing = await this.#list(language, length);
      if (listing === null) return null;
      // Whatever came back has the length we meant: the service counts in this unit.
      const understood = listing.words.every((text) => Math.abs(unit(text) - length) <= 1);
      if (listing.words.length > 0 && understood) break;
    }
    return this.#seen.has(id);
  }

  /** Bounds are one wider than meant: they need not include themselves. */
  async #list(language: string, length: number): Promise<Listing> {
    const filter: Filter = {
      ...EVERYTHING,
      language,
      curated: this.#curated,
      minLength: Math.max(0, length - 1),
      maxLength: length + 1,
    };
    const key = `${language} ${length}`;
    const known = this.#listings.get(key);
    if (known !== undefined) return known;
    const listing = await this.#read(filter);
    this.#listings.set(key, listing);
    return listing;
  }

  async #read(filter: Filter): Promise<Listing> {
    const { get, pageSize } = this.#context;
    const pks = new Set<number>();
    const words: string[] = [];
    try {
      for (let offset = 0, pages = 0; pages < MOST_PAGES; pages++) {
        if (this.#budget-- <= 0) return null;
        const page = await get(filter, offset, pageSize);
        keepPage(this.#context, page, filter, "probe");
        for (const quote of page.quotes) {
          pks.add(quote.id);
          this.#seen.add(quote.id);
          words.push(quote.served?.quote ?? quote.text);
        }
        if (page.next === null) return { pks, words };
        offset += Math.max(1, page.quotes.length + page.quarantined.length - this.#context.overlap);
      }
      return null;
    } catch (error) {
      // The walk itself is complete: what cannot be asked for tonight stays published.
      if (error instanceof StoppedEarly || error instanceof PermanentAnswer) return null;
      throw error;
    }
  }
}
