/**
 * Evidence (docs/walk.md, section 5): how many answers in a row must show the same before a conclusion is drawn that could
 * remove or withhold a quote, and whether a control must have come back beside them. A single answer may be false.
 */
import type { WalkStore } from "../snapshot/work/walk-store.ts";

const NEEDS = {
  // Control: a request past the end is empty or refused.
  "the list ends here": { agreeing: 2, control: true },
  // The start of the list is served in between.
  "the service refuses to go on from here": { agreeing: 2, control: true },
  // Or it holds records that cannot be read.
  "a page is not whole": { agreeing: 2, control: false },
  // Half of what is known of it came back.
  "a slice is smaller than what is known of it": { agreeing: 2, control: true },
  // Quotes came back through it that are known to pass it.
  "a filter is heeded": { agreeing: 1, control: true },
  "a filter is ignored": { agreeing: 2, control: false },
  // Nine in ten of its neighbours came back. The walk that did not meet the quote is the other answer.
  "a quote is gone": { agreeing: 1, control: true },
};

type Conclusion = keyof typeof NEEDS;

/** Share of the neighbours of a quote that must come back before its absence means anything. */
const NEIGHBOURS = 0.9;

/** Whether so many of the quotes that are known to be there came back as a control needs. */
export function areBack(known: number, missing: number): boolean {
  return missing < known && missing <= Math.max(1, Math.floor(known * (1 - NEIGHBOURS)));
}

interface Gathered {
  /** What each answer showed, oldest first. */
  readonly shown: readonly string[];
  readonly control: boolean;
}

const NOTHING: Gathered = { shown: [], control: false };

/** Whether what was gathered is enough. */
export function concludes(conclusion: Conclusion, { shown, control }: Gathered): boolean {
  const { agreeing, control: needed } = NEEDS[conclusion];
  const last = shown.slice(-agreeing);
  const agree = last.length === agreeing && last.every((one) => one === last[0]);
  return agree && (control || !needed);
}

/** The evidence for one conclusion about one list; kept with the run. */
export class Evidence {
  readonly #store: WalkStore;
  readonly #conclusion: Conclusion;
  readonly #name: string;
  #gathered: Gathered;

  /** @param about name of the list's filter */
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

  /** Notes what one more answer showed. */
  add(showed: string): void {
    this.#keep({ ...this.#gathered, shown: [...this.#gathered.shown, showed] });
  }

  addControl(): void {
    this.#keep({ ...this.#gathered, control: true });
  }

  /** An answer contradicted it: it is gathered anew. */
  discard(): void {
    this.#keep(NOTHING);
  }

  #keep(gathered: Gathered): void {
    this.#gathered = gathered;
    this.#store.saveState(this.#name, { ...gathered });
  }
}
