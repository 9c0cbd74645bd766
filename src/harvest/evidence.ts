/**
 * Evidence (docs/walk.md, section 5): how many consecutive answers must agree before a conclusion that could remove or
 * withhold a quote, and whether the conclusion needs a control. A single answer may be false.
 */
import type { Run } from "../snapshot/index.ts";

const NEEDS = {
  // Control: a request past the end is empty or refused.
  "the list ends here": { agreeing: 2, needsControl: true },
  // Control: the start of the list is served in between.
  "the service refuses to go on from here": { agreeing: 2, needsControl: true },
  // Also applies to a page with unreadable records.
  "a page is not whole": { agreeing: 2, needsControl: false },
  // Control: half of the quotes known to be in it came back.
  "a slice is smaller than what is known of it": { agreeing: 2, needsControl: true },
  // Both answers are sets of windows that showed as many keys as the slice has rows.
  "more quotes of one length than a page holds": { agreeing: 2, needsControl: false },
  // Control: quotes that are known to pass it came back.
  "a filter is heeded": { agreeing: 1, needsControl: true },
  "a filter is ignored": { agreeing: 2, needsControl: false },
  // Control: nine in ten of its neighbours came back, by length or in key order. The walk that did not see the quote is the other answer.
  "a quote is gone": { agreeing: 1, needsControl: true },
};

type Conclusion = keyof typeof NEEDS;

/** @param shown what each answer showed, oldest first */
export function concludes(
  conclusion: Conclusion,
  shown: readonly string[],
  control = false,
): boolean {
  const { agreeing, needsControl } = NEEDS[conclusion];
  const last = shown.slice(-agreeing);
  const agree = last.length === agreeing && last.every((one) => one === last[0]);
  return agree && (control || !needsControl);
}

/** Share of a quote's neighbours that must come back before its absence counts. */
const NEIGHBOURS = 0.9;

/** Whether enough known neighbours came back for a control. */
export function haveReturned(known: number, missing: number): boolean {
  return missing < known && missing <= Math.max(1, Math.floor(known * (1 - NEIGHBOURS)));
}

/** Evidence for one conclusion about one list; stored with the run. */
export class Evidence {
  readonly #store: Run;
  readonly #conclusion: Conclusion;
  readonly #name: string;
  #gathered: { readonly shown: readonly string[]; readonly control: boolean };

  /** @param about name of the list's filter, and its offset where the conclusion depends on one */
  constructor(store: Run, conclusion: Conclusion, about: string) {
    this.#store = store;
    this.#conclusion = conclusion;
    this.#name = `evidence: ${conclusion} ${about}`;
    this.#gathered = { shown: [], control: false, ...store.state(this.#name) };
  }

  get shown(): readonly string[] {
    return this.#gathered.shown;
  }

  get hasControl(): boolean {
    return this.#gathered.control;
  }

  get isEnough(): boolean {
    return this.agrees(this.hasControl);
  }

  /** Whether the latest answers agree. @param control whether the last one brought its control */
  agrees(control: boolean): boolean {
    return concludes(this.#conclusion, this.shown, control);
  }

  /** Adds what one more answer showed. */
  add(showed: string): void {
    this.#save([...this.shown, showed], this.hasControl);
  }

  addControl(): void {
    this.#save(this.shown, true);
  }

  /** Deletes all evidence, after an answer that contradicts it. */
  discard(): void {
    this.#save([], false);
  }

  #save(shown: readonly string[], control: boolean): void {
    this.#gathered = { shown, control };
    this.#store.saveState(this.#name, this.#gathered);
  }
}
