/** The names of one kind, each with a number, in the order in which they were met. */
import type { Spelling } from "../../contract/term.ts";

export class Names {
  readonly #numbers = new Map<string | null, number>();
  readonly #list: (string | null)[] = [];
  #counts = new Uint32Array(0);

  /** @param met names that have the numbers from 0 on already */
  constructor(met: readonly (string | null)[] = []) {
    for (const name of met) this.meet(name);
  }

  /** The number of a name; a new one where it was not met before. */
  meet(name: string | null): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      this.#numbers.set(name, (number = this.#list.length));
      this.#list.push(name);
    }
    return number;
  }

  numberOf(name: string | null): number {
    const number = this.#numbers.get(name);
    if (number === undefined) throw new RangeError(`Cannot find name ${name}: never met`);
    return number;
  }

  /** Every name, by its number. */
  get list(): readonly (string | null)[] {
    return this.#list;
  }

  get size(): number {
    return this.#list.length;
  }

  /** Counts the quotes under each name. */
  count(column: Uint32Array): void {
    const counts = new Uint32Array(this.size);
    for (const number of column) counts[number] = (counts[number] ?? 0) + 1;
    this.#counts = counts;
  }

  /** Names that quotes carry, as they were counted last. */
  *spellings(): Generator<Spelling> {
    for (const [number, name] of this.#list.entries()) {
      const quotes = this.#counts[number] ?? 0;
      if (quotes > 0) yield { name, quotes };
    }
  }

  /** How many no quote carries. */
  get idle(): number {
    return this.#counts.reduce((idle, quotes) => idle + Number(quotes === 0), 0);
  }
}
