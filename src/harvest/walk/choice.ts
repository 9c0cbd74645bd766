/**
 * Where the audit looks again: the end of the list and its beginning, then where something came in before what was
 * read, which halving finds, then anywhere.
 */
import type { Window } from "../../contract/window.ts";
import type { ChainState } from "./chain.ts";

/** A place to look at again, and the keys that were read there before, in their order. */
export interface Look {
  readonly offset: number;
  readonly pks: readonly number[];
}

export class Choice {
  readonly #windows: readonly Window[];
  readonly #random: () => number;
  readonly #fixed: Look[];
  readonly #done = new Set<number>();
  #low = 0;
  #high: number;
  #halved: Window | null = null;

  /** @param windows of a chain that has ended, in their order */
  constructor(
    windows: readonly Window[],
    { end, pageSize, pushed }: ChainState,
    random: () => number,
  ) {
    this.#windows = windows;
    this.#random = random;
    this.#high = pushed > 0 ? windows.length - 1 : -1;
    this.#fixed = [lastPage(windows, Math.max(0, end - pageSize)), ...windows.slice(0, 1)];
  }

  next(): Look {
    const fixed = this.#fixed.shift();
    if (fixed !== undefined) return fixed;
    const halving = this.#low <= this.#high;
    const middle = (this.#low + this.#high) >> 1;
    const at = halving && !this.#done.has(middle) ? middle : this.#drawn();
    this.#done.add(at);
    const window = this.#windows[at] ?? { offset: 0, pks: [] };
    this.#halved = halving && at === middle ? (this.#windows[at] ?? null) : null;
    return window;
  }

  /** What was pushed on, was pushed by something at or before this window. */
  learn(again: Window): void {
    const before = this.#halved;
    if (before === null) return;
    const at = this.#windows.indexOf(before);
    const place = new Map(again.pks.map((pk, index) => [pk, again.offset + index]));
    const pushed = before.pks.some((pk, index) => (place.get(pk) ?? -1) > before.offset + index);
    if (pushed) this.#high = at - 1;
    else this.#low = at + 1;
  }

  #drawn(): number {
    const left = this.#windows.map((_, index) => index).filter((index) => !this.#done.has(index));
    return left[Math.floor(this.#random() * left.length)] ?? 0;
  }
}

/** A full page up to the end: the last window alone may hold little else than what its link was made of. */
function lastPage(windows: readonly Window[], offset: number): Look {
  const pks = windows.slice(-LAST).flatMap((window) => (ends(window) > offset ? window.pks : []));
  return { offset, pks: [...new Set(pks)] };
}

/** Windows at the end that a page may reach back to, however often a link there had to be mended. */
const LAST = 16;

const ends = ({ offset, got }: Window): number => offset + got;
