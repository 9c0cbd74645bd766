/**
 * A collection that changes between requests: the model of docs/walk.md, section 1, with an order of one of several kinds.
 *
 * It remembers every version of a quote that it served, and which quotes were there all the time.
 */
import type { WireQuote } from "../../../src/contract/quote.ts";
import { pageOf, wireQuote, type WirePage } from "../../support/service/index.ts";

/** Orders that keep the survivors in place, and orders that do not. */
export const STABLE = ["by key", "newest first", "fixed"] as const;
export const UNSTABLE = ["by likes", "as written", "random"] as const;
export type OrderKind = (typeof STABLE)[number] | (typeof UNSTABLE)[number];

export interface Change {
  readonly kind: "insert" | "delete" | "vote" | "edit" | "rewrite" | "reorder";
  /** Which quote, as a number that is taken modulo how many there are. */
  readonly at: number;
  /** Likes that a vote adds. */
  readonly by?: number;
}

interface Row {
  readonly quote: WireQuote;
  /** Place in a fixed order that is not that of the keys. */
  readonly rank: number;
}

export class DriftingCollection {
  readonly #kind: OrderKind;
  readonly #random: () => number;
  #rows: Row[];
  #nextKey: number;
  readonly #throughout: Set<number>;
  readonly #served = new Map<number, Set<string>>();
  /** Quotes whose length changed: no slice can promise them. */
  readonly relengthened = new Set<number>();
  requests = 0;

  constructor(kind: OrderKind, size: number, random: () => number) {
    this.#kind = kind;
    this.#random = random;
    this.#rows = Array.from({ length: size }, (_, at) => this.#row(at + 1));
    this.#nextKey = size + 1;
    this.#throughout = new Set(this.#rows.map(({ quote }) => quote.pk));
    this.#sort();
  }

  get size(): number {
    return this.#rows.length;
  }

  get throughout(): ReadonlySet<number> {
    return this.#throughout;
  }

  wasServed(pk: number, version: string): boolean {
    return this.#served.get(pk)?.has(version) ?? false;
  }

  /** Applies changes and then serves one page: one request is one moment. */
  serve(url: URL, cap: number, changes: readonly Change[]): WirePage {
    this.requests++;
    for (const change of changes) this.#apply(change);
    this.#sort();
    const page = pageOf(
      this.#rows.map(({ quote }) => quote),
      url,
      { cap },
    );
    for (const quote of page.results as WireQuote[]) {
      const versions = this.#served.get(quote.pk) ?? new Set();
      this.#served.set(quote.pk, versions.add(quote.quote));
    }
    return page;
  }

  #apply(change: Change): void {
    if (change.kind === "insert") {
      this.#rows.push(this.#row(this.#nextKey++));
      return;
    }
    if (this.#rows.length === 0) return;
    const at = change.at % this.#rows.length;
    const [row] = this.#rows.splice(at, 1);
    if (row === undefined) return;
    const { quote } = row;
    switch (change.kind) {
      case "delete":
        this.#throughout.delete(quote.pk);
        return;
      case "vote":
        return this.#put(at, {
          ...row,
          quote: { ...quote, likes: quote.likes + (change.by ?? 1) },
        });
      case "edit":
        return this.#put(at, { ...row, quote: { ...quote, quote: swapCase(quote.quote) } });
      case "rewrite":
        this.relengthened.add(quote.pk);
        return this.#put(at, { ...row, quote: { ...quote, quote: `${quote.quote} More.` } });
      case "reorder":
        // Moves the row where the kind of order allows it, else it is written again in place.
        return this.#put(at, row);
    }
  }

  /** A table without an order keeps its rows as they were written, a new version at the end. */
  #put(at: number, row: Row): void {
    if (this.#kind === "as written") this.#rows.push(row);
    else this.#rows.splice(at, 0, row);
  }

  #sort(): void {
    const by: Readonly<Record<OrderKind, ((a: Row, b: Row) => number) | null>> = {
      "by key": (a, b) => a.quote.pk - b.quote.pk,
      "newest first": (a, b) => b.quote.pk - a.quote.pk,
      fixed: (a, b) => a.rank - b.rank,
      "by likes": (a, b) => b.quote.likes - a.quote.likes || a.quote.pk - b.quote.pk,
      "as written": null,
      random: null,
    };
    const compare = by[this.#kind];
    if (compare !== null) this.#rows.sort(compare);
    if (this.#kind === "random") this.#shuffle();
  }

  #shuffle(): void {
    for (let at = this.#rows.length - 1; at > 0; at--) {
      const other = Math.floor(this.#random() * (at + 1));
      const [a, b] = [this.#rows[at], this.#rows[other]];
      if (a !== undefined && b !== undefined) [this.#rows[at], this.#rows[other]] = [b, a];
    }
  }

  #row(pk: number): Row {
    const quote = `${"word ".repeat(40).slice(0, 20 + Math.floor(this.#random() * 180))}${pk}.`;
    const likes = Math.floor(this.#random() * 20);
    return { quote: wireQuote(pk, { quote, likes }), rank: this.#random() };
  }
}

function swapCase(text: string): string {
  const upper = text.toUpperCase();
  return text === upper ? text.toLowerCase() : upper;
}
