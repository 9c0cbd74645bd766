/**
 * Records that make every page fail that holds them (docs/walk.md, section 7). Their offsets are remembered, so that the
 * next run reads around them without a search.
 */
import { filterName, isSlice, type Filter } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";

/** Most broken records of a list, as a number and as a share; with more, the service itself has failed. */
const MOST_BROKEN = 20;
const MOST_BROKEN_SHARE = 0.01;

/** Requests that the search for one record may take, besides those that the bound on a run allows. */
const SEARCH_REQUESTS = 15;

interface Broken {
  readonly offset: number;
  readonly reason: string;
}

export class BrokenRecords {
  readonly #name: string;
  readonly #store: Run;
  /** Whether the list is a slice: its offsets mean nothing to another run. */
  readonly #isSlice: boolean;
  #records: readonly Broken[];

  constructor(filter: Filter, store: Run) {
    this.#name = `broken records ${filterName(filter)}`;
    this.#store = store;
    this.#isSlice = isSlice(filter);
    this.#records = store.trait<{ records: Broken[] }>(this.#name)?.records ?? [];
  }

  /** Offset of the first broken record of a page; null for none. */
  findIn(offset: number, limit: number): number | null {
    const places = this.#records.map((one) => one.offset);
    const inPage = places.filter((place) => place >= offset && place < offset + limit);
    return inPage.length === 0 ? null : Math.min(...inPage);
  }

  /** Number of broken records directly before an offset. */
  countBefore(offset: number): number {
    const places = new Set(this.#records.map((one) => one.offset));
    let count = 0;
    while (places.has(offset - 1 - count)) count++;
    return count;
  }

  reasonOf(offset: number): string {
    return this.#records.find((one) => one.offset === offset)?.reason ?? "the service failed";
  }

  /** @returns false when there are too many */
  add(offset: number, reason: string): boolean {
    const most = Math.max(MOST_BROKEN, this.#store.quotesSeen * MOST_BROKEN_SHARE);
    if (this.#records.length >= most) return false;
    this.#store.searches += SEARCH_REQUESTS;
    this.#save([...this.#records, { offset, reason }]);
    return true;
  }

  /** Forgets a record that is not broken any more, or has moved. */
  delete(offset: number): void {
    this.#save(this.#records.filter((one) => one.offset !== offset));
  }

  #save(records: readonly Broken[]): void {
    this.#records = records;
    if (!this.#isSlice)
      this.#store.saveTrait(this.#name, records.length === 0 ? null : { records });
  }
}
