/** What can be wrong with a finished site, one line each. */

export type FindingKind =
  | "page missing"
  | "page not planned"
  | "page unreadable"
  | "attribution"
  | "broken link"
  | "unsafe link"
  | "id twice"
  | "quote missing"
  | "quote not planned"
  | "quote twice"
  | "quote out of order"
  | "quote markup"
  | "too large for the host";

export interface Finding {
  readonly kind: FindingKind;
  /** The page's address, without the base path. */
  readonly page: string;
  readonly detail: string;
}

/** Findings counted by kind, of which the first few are kept: a fault of a template is on every page. */
export class Findings {
  static readonly KEPT = 10;
  readonly #counts = new Map<FindingKind, number>();
  readonly #kept: Finding[] = [];

  add(finding: Finding): void {
    const count = this.#counts.get(finding.kind) ?? 0;
    this.#counts.set(finding.kind, count + 1);
    if (count < Findings.KEPT) this.#kept.push(finding);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  counts(): Partial<Record<FindingKind, number>> {
    return Object.fromEntries(this.#counts);
  }

  kept(): readonly Finding[] {
    return this.#kept;
  }
}

/** A longer text says nothing more, and hostile ones are long. */
const MAX_DETAIL = 160;

/** One finding as a line: control characters and length are nobody's to choose but ours. */
export function lineOf({ kind, page, detail }: Finding): string {
  const line = `${kind}: ${page}${detail === "" ? "" : `: ${detail}`}`;
  const safe = line.replace(/[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]+/g, " ");
  return safe.length > MAX_DETAIL ? `${safe.slice(0, MAX_DETAIL).toWellFormed()}…` : safe;
}
