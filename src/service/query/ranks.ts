/**
 * Where each quote stands by pk: in the whole collection and within its language.
 *
 * SQLite reaches an offset by stepping over every row before it, which makes a walk of a million rows quadratic. Eight
 * bytes a quote in memory turn an offset into a pk at once; a report or an insert moves the bytes behind it.
 */

/** A growing, sorted list of pks. */
export class SortedPks {
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

export class Ranks {
  readonly #all = new SortedPks();
  readonly #byLanguage = new Map<string, SortedPks>();

  get count(): number {
    return this.#all.length;
  }

  add(pk: number, language: string): void {
    this.#all.add(pk);
    let pks = this.#byLanguage.get(language);
    if (pks === undefined) this.#byLanguage.set(language, (pks = new SortedPks()));
    pks.add(pk);
  }

  remove(pk: number, language: string): void {
    this.#all.remove(pk);
    this.#byLanguage.get(language)?.remove(pk);
  }

  /**
   * The block of at most `limit` quotes from `offset`, in the order of their pks.
   *
   * @param language null for all
   * @returns null when nothing stands there
   */
  block(language: string | null, offset: number, limit: number): Block | null {
    const pks = language === null ? this.#all : this.#byLanguage.get(language);
    const first = pks?.at(offset);
    if (pks === undefined || first === undefined) return null;
    const end = Math.min(offset + limit, pks.length);
    return { first, last: pks.at(end - 1) ?? first, more: end < pks.length };
  }
}
