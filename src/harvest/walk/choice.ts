/**
 * Where the audit looks again: the end of the list and its beginning, then where something came in before what was
 * read, which halving finds, then anywhere.
 */
import type { WalkStore } from "../../contract/walk-store.ts";
import type { Window } from "../../contract/window.ts";
import type { ChainState } from "./chain.ts";

/** A place to look at again, and the keys that were read there before, in their order. */
export interface Look {
  readonly offset: number;
  readonly pks: readonly number[];
}

export class Choice {
  readonly #at: (place: number) => Window | undefined;
  readonly #windows: number;
  readonly #random: () => number;
  readonly #fixed: Look[];
  readonly #done = new Set<number>();
  #low = 0;
  #high: number;
  /** The window that halving came upon last, and its place. */
  #halved: { readonly place: number; readonly window: Window } | null = null;

  /** @param chain one that has ended */
  constructor(
    store: Pick<WalkStore, "windowAt" | "lastWindows">,
    filter: string,
    chain: ChainState,
    random: () => number,
  ) {
    this.#at = (place) => store.windowAt(filter, place);
    this.#windows = chain.windows;
    this.#random = random;
    this.#high = chain.pushed > 0 ? chain.windows - 1 : -1;
    const last = store.lastWindows(filter, LAST);
    this.#fixed = [lastPage(last, Math.max(0, chain.end - chain.pageSize)), this.#at(0) ?? NOTHING];
  }

  next(): Look {
    const fixed = this.#fixed.shift();
    if (fixed !== undefined) return fixed;
    const middle = (this.#low + this.#high) >> 1;
    const halving = this.#low <= this.#high && !this.#done.has(middle);
    const place = halving ? middle : this.#drawn();
    this.#done.add(place);
    const window = this.#at(place);
    this.#halved = halving && window !== undefined ? { place, window } : null;
    return window ?? NOTHING;
  }

  /** What was pushed on, was pushed by something at or before this window. */
  learn(again: Window): void {
    if (this.#halved === null) return;
    const { place, window } = this.#halved;
    const placeNow = new Map(again.pks.map((pk, index) => [pk, again.offset + index]));
    const pushed = window.pks.some((pk, index) => (placeNow.get(pk) ?? -1) > window.offset + index);
    if (pushed) this.#high = place - 1;
    else this.#low = place + 1;
  }

  #drawn(): number {
    const place = Math.floor(this.#random() * this.#windows);
    // The next one that was not drawn yet; any, where all were.
    for (let step = 0; step < this.#windows; step++) {
      const next = (place + step) % this.#windows;
      if (!this.#done.has(next)) return next;
    }
    return place;
  }
}

const NOTHING: Look = { offset: 0, pks: [] };

/** A full page up to the end: the last window alone may hold little else than what its link was made of. */
function lastPage(last: readonly Window[], offset: number): Look {
  const pks = last.flatMap((window) => (ends(window) > offset ? window.pks : []));
  return { offset, pks: [...new Set(pks)] };
}

/** Windows at the end that a page may reach back to, however often a link there had to be mended. */
const LAST = 16;

const ends = ({ offset, got }: Window): number => offset + got;
