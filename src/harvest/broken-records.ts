/**
 * Records that make every page fail that holds them (docs/walk.md, section 7). They are remembered by the keys before them, so
 * that the next run finds them without a search, also where their offsets have changed.
 */
import { filterName, isSlice, type Filter } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";

/** Most broken records of a list, as a number and as a share; with more, the service itself has failed. */
const MOST_BROKEN = 20;
const MOST_BROKEN_SHARE = 0.01;

/** Requests that the search for one record may take, besides those that the bound on a run allows. */
const SEARCH_REQUESTS = 15;

/** Keys before a record that are remembered. */
const KEYS_BEFORE = 32;

export interface Broken {
  readonly offset: number;
  readonly reason: string;
  /** Keys of the rows before it, the nearest last. */
  readonly before: readonly number[];
}

export class BrokenRecords {
  readonly #name: string;
  readonly #store: Run;
  /** Whether the list is a slice: the next run cuts other ones. */
  readonly #isSlice: boolean;
  /** By offset. */
  #records: readonly Broken[];
  /** Offsets of records that this run has seen fail. */
  readonly #seen = new Set<number>();
  #rows: number | null;

  constructor(filter: Filter, store: Run) {
    this.#name = `broken records ${filterName(filter)}`;
    this.#store = store;
    this.#isSlice = isSlice(filter);
    type Known = { readonly records: Partial<Broken>[]; readonly rows?: number };
    const known = isSlice(filter) ? store.state<Known>(this.#name) : store.trait<Known>(this.#name);
    const standard = { offset: 0, reason: "the service failed", before: [] };
    this.#records = (known?.records ?? []).map((one) => ({ ...standard, ...one }));
    this.#rows = known?.rows ?? null;
  }

  /** Rows of a full page when the last record was found; null where none is known. */
  get rows(): number | null {
    return this.#rows;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** The first one of a page; null for none. */
  firstIn(offset: number, end: number): Broken | null {
    return this.#records.find((one) => one.offset >= offset && one.offset < end) ?? null;
  }

  /** Whether this run has not seen a record fail that may be in a page, or near it. */
  isExpectedNear(offset: number, rows: number): boolean {
    return this.#records.some(
      (one) =>
        !this.#seen.has(one.offset) &&
        one.offset >= offset - rows &&
        one.offset < offset + 2 * rows,
    );
  }

  /** Takes the nearest record that this run has not seen fail to be in a page: the page fails, and the record may have moved. */
  moveInto(offset: number, rows: number): void {
    if (this.firstIn(offset, offset + rows) !== null) return;
    const open = this.#records.filter((one) => !this.#seen.has(one.offset));
    const away = (one: Broken): number =>
      one.offset < offset ? offset - one.offset : one.offset - (offset + rows) + 1;
    const [nearest] = open.toSorted((one, other) => away(one) - away(other));
    if (nearest === undefined) return;
    this.move(nearest, nearest.offset < offset ? offset : offset + Math.max(0, rows - 2), []);
  }

  isSeen({ offset }: Broken): boolean {
    return this.#seen.has(offset);
  }

  see({ offset }: Broken): void {
    this.#seen.add(offset);
  }

  /** Number of broken records directly before an offset. */
  countBefore(offset: number): number {
    const places = new Set(this.#records.map((one) => one.offset));
    let count = 0;
    while (places.has(offset - 1 - count)) count++;
    return count;
  }

  /**
   * Notes a record that this run has seen fail.
   *
   * @param keys of the rows before it
   * @param rows of a full page; null where no page was full
   * @returns false when there are too many
   */
  add(offset: number, reason: string, keys: readonly number[], rows: number | null): boolean {
    const most = Math.max(MOST_BROKEN, this.#store.quotesSeen * MOST_BROKEN_SHARE);
    if (this.#records.length >= most) return false;
    this.#store.searches += SEARCH_REQUESTS;
    this.#rows = rows ?? this.#rows;
    this.#seen.add(offset);
    this.#save([...this.#records, { offset, reason, before: keys.slice(-KEYS_BEFORE) }]);
    return true;
  }

  /** Notes where a record is now. Those after it have probably moved as far. */
  move(record: Broken, offset: number, keys: readonly number[]): Broken {
    const moved = {
      ...record,
      offset,
      before: keys.length > 0 ? keys.slice(-KEYS_BEFORE) : record.before,
    };
    const shift = offset - record.offset;
    const others = this.#records
      .filter((one) => one.offset !== record.offset && one.offset !== offset)
      .map((one) => {
        const follows = one.offset > record.offset && !this.#seen.has(one.offset);
        return follows ? { ...one, offset: Math.max(offset + 1, one.offset + shift) } : one;
      });
    this.#save([...others, moved]);
    return moved;
  }

  /** Forgets a record that is not broken any more, or is not where it was. */
  delete({ offset }: Broken): void {
    this.#save(this.#records.filter((one) => one.offset !== offset));
  }

  /** Forgets all records of a part of the list that is not served: no record is the cause. */
  deleteIn(from: number, end: number): void {
    this.#save(this.#records.filter(({ offset }) => offset < from || offset >= end));
  }

  #save(records: readonly Broken[]): void {
    this.#records = records.toSorted((one, other) => one.offset - other.offset);
    const known = { records: this.#records, rows: this.#rows };
    if (this.#isSlice) this.#store.saveState(this.#name, known);
    else this.#store.saveTrait(this.#name, records.length === 0 ? null : known);
  }
}
