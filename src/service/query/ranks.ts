/**
 * Where each quote stands by pk: in the whole collection and within its language, and among the curated of either.
 *
 * SQLite reaches an offset by stepping over every row before it, which makes a walk of a million rows quadratic. Eight
 * bytes a quote in memory turn an offset into a pk at once; a report or an insert moves the bytes behind it.
 */

/** A growing, sorted list of pks. */
class SortedPks {
  #pks = new Float64Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The pk at a rank from 0; undefined beyond the end. */
  at(rank: number): number | undefined {
    return rank < this.#length ? this.#pks[rank] : undefined;
  }

  add(pk: number): void {
    const rank = this.#rankOf(pk);
    if (this.at(rank) === pk) return;
    if (this.#length === this.#pks.length) {
      const grown = new Float64Array(this.#length * 2);
      grown.set(this.#pks);
      this.#pks = grown;
    }
    this.#pks.copyWithin(rank + 1, rank, this.#length);
    this.#pks[rank] = pk;
    this.#length++;
  }

  remove(pk: number): void {
    const rank = this.#rankOf(pk);
    if (this.at(rank) !== pk) return;
    this.#pks.copyWithin(rank, rank + 1, this.#length);
    this.#length--;
  }

  /** The rank of the first pk that is not smaller. */
  #rankOf(pk: number): number {
    let low = 0;
    let high = this.#length;
    // Quotes mostly arrive in order: the end is the likeliest place.
    if (high > 0 && (this.#pks[high - 1] ?? 0) < pk) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#pks[middle] ?? 0) < pk) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A block of the collection, as the pks of its ends. */
export interface Block {
  readonly first: number;
  readonly last: number;
  /** Whether a quote follows. */
  readonly more: boolean;
}

/** What tells which lists a quote stands in. */
export interface Ranked {
  readonly pk: number;
  readonly language: string;
  readonly curated: boolean;
}

/** A list that is walked by rank: of a language, or of all where it is null; of curated quotes alone, or not. */
export interface RankedList {
  readonly language: string | null;
  readonly curated: boolean;
}

export class Ranks {
  readonly #lists = new Map<string, SortedPks>();

  get count(): number {
    return this.#lists.get(nameOf({ language: null, curated: false }))?.length ?? 0;
  }

  add(quote: Ranked): void {
    for (const name of namesOf(quote)) {
      let pks = this.#lists.get(name);
      if (pks === undefined) this.#lists.set(name, (pks = new SortedPks()));
      pks.add(quote.pk);
    }
  }

  remove(quote: Ranked): void {
    for (const name of namesOf(quote)) this.#lists.get(name)?.remove(quote.pk);
  }

  /**
   * The block of at most `limit` quotes from `offset`, in the order of their pks.
   *
   * @returns null when nothing stands there
   */
  block(list: RankedList, offset: number, limit: number): Block | null {
    const pks = this.#lists.get(nameOf(list));
    const first = pks?.at(offset);
    if (pks === undefined || first === undefined) return null;
    const end = Math.min(offset + limit, pks.length);
    return { first, last: pks.at(end - 1) ?? first, more: end < pks.length };
  }
}

const nameOf = ({ language, curated }: RankedList): string =>
  `${curated ? "curated" : "all"}${language === null ? "" : ` ${language}`}`;

function namesOf({ language, curated }: Ranked): string[] {
  const languages = [null, language];
  const kinds = curated ? [false, true] : [false];
  return languages.flatMap((one) => kinds.map((kind) => nameOf({ language: one, curated: kind })));
}
