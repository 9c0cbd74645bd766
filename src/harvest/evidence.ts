/**
 * Evidence (docs/walk.md, section 5): how many consecutive answers must agree before a conclusion that could remove or
 * withhold a quote, and whether it needs a control. A single answer may be false.
 */
import type { WalkStore } from "../snapshot/work/walk-store.ts";

const NEEDS = {
  // Control: a request past the end is empty or refused.
  "the list ends here": { agreeing: 2, control: true },
  // Control: the start of the list is served in between.
  "the service refuses to go on from here": { agreeing: 2, control: true },
  // Also for a page with unreadable records.
  "a page is not whole": { agreeing: 2, control: false },
  // Control: half of the quotes known to be in it came back.
  "a slice is smaller than what is known of it": { agreeing: 2, control: true },
  // Control: quotes that are known to pass it came back.
  "a filter is heeded": { agreeing: 1, control: true },
  "a filter is ignored": { agreeing: 2, control: false },
  // Control: nine in ten of its neighbours came back. The walk that did not see the quote is the other answer.
  "a quote is gone": { agreeing: 1, control: true },
};

type Conclusion = keyof typeof NEEDS;

/** Share of a quote's neighbours that must come back: only then does its absence count. */
const NEIGHBOURS = 0.9;

/** Whether enough of the known neighbours came back for a control. */
export function haveReturned(known: number, missing: number): boolean {
  return missing < known && missing <= Math.max(1, Math.floor(known * (1 - NEIGHBOURS)));
}

interface Gathered {
  /** What each answer showed, oldest first. */
  readonly shown: readonly string[];
  readonly control: boolean;
}

const NOTHING: Gathered = { shown: [], control: false };

export function concludes(conclusion: Conclusion, { shown, control }: Gathered): boolean {
  const { agreeing, control: needed } = NEEDS[conclusion];
  const last = shown.slice(-agreeing);
  const agree = last.length === agreeing && last.every((one) => one === last[0]);
  return agree && (control || !needed);
}

/** Evidence for one conclusion about one list; stored with the run. */
export class Evidence {
  readonly #store: WalkStore;
  readonly #conclusion: Conclusion;
  readonly #name: string;
  #gathered: Gathered;

  /** @param about name of the list's filter, and of the offset where the conclusion needs one */
  constructor(store: WalkStore, conclusion: Conclusion, about: string) {
    this.#store = store;
    this.#conclusion = conclusion;
    this.#name = `evidence: ${conclusion} ${about}`;
    this.#gathered = (store.state(this.#name) as Gathered | null) ?? NOTHING;
  }

  get shown(): readonly string[] {
    return this.#gathered.shown;
  }

  get hasControl(): boolean {
    return this.#gathered.control;
  }

  get isEnough(): boolean {
    return concludes(this.#conclusion, this.#gathered);
  }

  /** Adds what one more answer showed. */
  add(showed: string): void {
    this.#save({ ...this.#gathered, shown: [...this.#gathered.shown, showed] });
  }

  addControl(): void {
    this.#save({ ...this.#gathered, control: true });
  }

  /** Deletes all evidence, after an answer that contradicts it. */
  discard(): void {
    this.#save(NOTHING);
  }

  #save(gathered: Gathered): void {
    this.#gathered = gathered;
    this.#store.saveState(this.#name, { ...gathered });
  }
}
