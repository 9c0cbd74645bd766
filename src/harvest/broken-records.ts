/**
 * Records that make every page fail that holds them (docs/walk.md, section 7). They are remembered by the keys before them, so
 * that the next run finds them without a search, also where their offsets have changed, or their list is cut into other slices.
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

/** What is known of a list, or of a slice. */
interface Known {
  readonly records: readonly Broken[];
  readonly rows: number | null;
}

/** The same as it is stored: an earlier version knew less of a record. */
interface Stored {
  readonly records: readonly Partial<Broken>[];
  readonly rows?: number | null;
}

/** What an earlier run knew of a slice. The next one may cut others, of which one holds its middle. */
interface KnownSlice extends Known {
  /** Characters. */
  readonly middle: number;
}

type KnownSlices = readonly KnownSlice[];

/** The length in the middle of a slice; of one without an end, its bound. */
function middleOf({ minLength, maxLength }: Filter): number {
  const low = minLength ?? maxLength ?? 0;
  return (low + (maxLength ?? low)) >> 1;
}

export class BrokenRecords {
  readonly #name: string;
  readonly #store: Run;
  /** Null for a whole list. */
  readonly #slice: Filter | null;
  /** Of the slices of the list. */
  readonly #slicesName: string;
  /** By offset. */
  #records: readonly Broken[];
  /** Offsets of records that this run has seen fail. */
  readonly #seen = new Set<number>();
  /** Offsets of records as they were in another slice. */
  readonly #guessed = new Set<number>();
  #rows: number | null;

  constructor(filter: Filter, store: Run) {
    const whole = filterName({ ...filter, minLength: null, maxLength: null });
    this.#name = `broken records ${filterName(filter)}`;
    this.#slicesName = `broken records in slices ${whole}`;
    this.#store = store;
    this.#slice = isSlice(filter) ? filter : null;
    const known = this.#load();
    const standard = { offset: 0, reason: "the service failed", before: [] };
    this.#records = (known?.records ?? []).map((one) => ({ ...standard, ...one }));
    this.#rows = known?.rows ?? null;
  }

  #load(): Stored | null {
    if (this.#slice === null) return this.#store.trait<Stored>(this.#name);
    const ofThisRun = this.#store.state<Stored>(this.#name);
    if (ofThisRun !== null) return ofThisRun;
    const slices = this.#knownSlices.filter((one) => this.#isHere(one));
    const records = new Map(slices.flatMap((one) => one.records).map((one) => [one.offset, one]));
    for (const offset of records.keys()) this.#guessed.add(offset);
    return { records: inOrder([...records.values()]), rows: slices[0]?.rows ?? null };
  }

  get #knownSlices(): KnownSlices {
    return this.#store.trait<{ slices: KnownSlices }>(this.#slicesName)?.slices ?? [];
  }

  #isHere({ middle }: KnownSlice): boolean {
    const { minLength, maxLength } = this.#slice ?? {};
    return middle >= (minLength ?? 0) && middle <= (maxLength ?? Infinity);
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

  /** Whether a record is placed as it was in another slice. */
  isGuessed({ offset }: Broken): boolean {
    return this.#guessed.has(offset) && !this.#seen.has(offset);
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
    this.#records = inOrder(records);
    const known: Known = { records: this.#records, rows: this.#rows };
    const isNone = records.length === 0;
    if (this.#slice === null) {
      this.#store.saveTrait(this.#name, isNone ? null : known);
      return;
    }
    this.#store.saveState(this.#name, known);
    const others = this.#knownSlices.filter((one) => !this.#isHere(one));
    const own = isNone ? [] : [{ ...known, middle: middleOf(this.#slice) }];
    const slices: KnownSlices = [...others, ...own];
    this.#store.saveTrait(this.#slicesName, slices.length === 0 ? null : { slices });
  }
}

const inOrder = (records: readonly Broken[]): Broken[] =>
  records.toSorted((one, other) => one.offset - other.offset);
