/**
 * The size of a page is a property of the place in a list (docs/walk.md, section 4): a service may refuse or fail at large
 * pages everywhere, at large offsets, or where records are heavy. The size that works is found by halving, and grows
 * by a quarter after good pages; after a failure of a larger page, growth takes twice as many good ones.
 */
import { EVERYTHING, filterName, isSlice, type Filter } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";

/** A page of so many records is tried first where a larger one fails: many services allow 100. */
export const USUAL_PAGE = 128;
const GROWTH = 1.25;
const MOST_PATIENCE = 32;
/** Changes of the size that are remembered for the next run. */
const MOST_REMEMBERED = 100;

/** From an offset on, the size that worked, and good pages before it grows; null for any size. */
interface Change {
  readonly offset: number;
  readonly size: number | null;
  readonly patience: number;
}

/** The size of the pages of a list; a slice begins with the size that worked at the start of the list. */
export function pageSizeOf(filter: Filter, store: Run): PageSize {
  const list = { ...filter, minLength: null, maxLength: null, mostLiked: false };
  return new PageSize(store, filterName(list), isSlice(filter));
}

/**
 * Finds the largest page that is served, by halving.
 *
 * @param served a size that is served; 0 for none that is known
 * @param fails a larger one that is not
 * @param ask null where a size is not served
 * @returns the page, null where none between the two is served; and the largest size that is
 */
export async function findLargest<Page>(
  served: number,
  fails: number,
  ask: (size: number) => Promise<Page | null>,
): Promise<{ readonly page: Page | null; readonly size: number }> {
  let largest: Page | null = null;
  while (fails - served > 1) {
    const middle = (served + fails) >> 1;
    const page = await ask(middle);
    if (page === null) fails = middle;
    else [largest, served] = [page, middle];
  }
  return { page: largest, size: served };
}

const nameOf = (list: string): string => `page sizes ${list}`;

export class PageSize {
  readonly #name: string;
  readonly #store: Run;
  readonly #isSlice: boolean;
  /** Changes of the run before, in order of their offsets. */
  readonly #before: readonly Change[];
  #changes: Change[] = [];
  /** Null for no limit but that of the request. */
  #size: number | null = null;
  #patience = 1;
  #good = 0;
  /** The size before it grew; null where it did not grow. */
  #smaller: number | null = null;
  /** A size that is tried: it is remembered once it has worked. */
  #trial: Change | null = null;
  /** Records of the largest page so far. */
  #largest = 1;

  constructor(store: Run, list: string, isSlice: boolean) {
    this.#name = nameOf(list);
    this.#store = store;
    this.#isSlice = isSlice;
    const known = (name: string): Change[] | undefined =>
      store.trait<{ changes: Change[] }>(name)?.changes;
    this.#before =
      known(this.#name) ??
      (known(nameOf(filterName(EVERYTHING))) ?? []).filter(({ offset }) => offset === 0);
    this.#patience = this.#before.reduce((most, one) => Math.max(most, one.patience), 1);
  }

  /** The `limit` of a request. */
  at(offset: number, limit: number): number {
    const known = this.#before.findLast((change) => change.offset <= offset);
    const isNews = known !== undefined && !this.#changes.some((one) => one.offset >= known.offset);
    if (isNews && known.size !== null && known.size < (this.#size ?? Infinity)) {
      this.#change(known);
    }
    return Math.min(limit, this.#size ?? limit);
  }

  /** Whether a larger page than those that worked is tried: its failure says nothing of the service. */
  isTrial(limit: number): boolean {
    return this.#smaller !== null && limit > this.#smaller;
  }

  /** Notes a page that was served; where it is not full, its limit is not what keeps it small. */
  serve(offset: number, records: number, limit: number): void {
    this.#largest = Math.max(this.#largest, records);
    if (this.#trial !== null && records > 0 && this.isTrial(limit)) this.#change(this.#trial);
    if (this.#size === null || records < this.#size || ++this.#good < this.#patience) return;
    const size = Math.ceil(this.#size * GROWTH);
    this.#smaller = this.#size;
    const isFree = size >= this.#largest && this.#largest > this.#size;
    this.#trial = { offset, size: isFree ? null : size, patience: this.#patience };
    this.#use(this.#trial);
  }

  /** Notes a failure: the size before it grew, or that another page has found since; null where there is none. */
  shrink(offset: number, limit: number): number | null {
    const size = this.#smaller;
    if (size === null) return this.#size !== null && this.#size < limit ? this.#size : null;
    if (size >= limit) return null;
    this.#smaller = null;
    this.#change({ offset, size, patience: Math.min(MOST_PATIENCE, 2 * this.#patience) });
    return size;
  }

  /** Notes the largest size that works at a place. */
  settle(offset: number, size: number): void {
    this.#smaller = null;
    this.#change({ offset, size, patience: this.#patience });
  }

  #use({ size, patience }: Change): void {
    this.#size = size;
    this.#patience = patience;
    this.#good = 0;
  }

  #change(change: Change): void {
    this.#use(change);
    this.#trial = null;
    this.#changes = [...this.#changes.filter(({ offset }) => offset < change.offset), change];
    if (this.#isSlice) return;
    const changes = this.#changes.slice(-MOST_REMEMBERED);
    this.#store.saveTrait(this.#name, { changes });
  }
}
