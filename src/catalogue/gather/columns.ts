/** What is kept of each quote, as columns of numbers that are filled front to back. A million quotes take some 50 MB. */
import { Digests } from "../digests.ts";
import { Names } from "./names.ts";

/** One place in each column for each quote, in the order of their ids. */
export interface Gathered {
  readonly quotes: number;
  readonly ids: Float64Array;
  readonly likes: Float64Array;
  /** Digests of all that a card shows but the names of its terms. */
  readonly words: Digests;
  readonly author: Uint32Array;
  readonly language: Uint32Array;
  /** Tags of quote i: `tags[tagStart[i]]` up to `tags[tagStart[i + 1]]`. */
  readonly tagStart: Uint32Array;
  readonly tags: Uint32Array;
  readonly names: KindNames;
}

export interface KindNames {
  readonly author: Names;
  readonly language: Names;
  readonly tag: Names;
}

/** A quote as it is put into the columns. */
export interface Entry {
  readonly id: number;
  readonly author: string | null;
  readonly likes: number;
  readonly tags: readonly string[];
  readonly language: string;
  /** Of all that its card shows but the names of its terms. */
  readonly words: string;
}

export class Columns {
  readonly #ids: Float64Array;
  readonly #likes: Float64Array;
  readonly #words: Digests;
  readonly #author: Uint32Array;
  readonly #language: Uint32Array;
  readonly #tagStart: Uint32Array;
  readonly #names: KindNames;
  #tags: Uint32Array;
  #quotes = 0;
  #tagged = 0;

  /**
   * @param room for how many quotes
   * @param names those that were met before
   */
  constructor(
    room: number,
    names: KindNames = { author: new Names(), language: new Names(), tag: new Names() },
  ) {
    this.#ids = new Float64Array(room);
    this.#likes = new Float64Array(room);
    this.#words = new Digests(room);
    this.#author = new Uint32Array(room);
    this.#language = new Uint32Array(room);
    this.#tagStart = new Uint32Array(room + 1);
    this.#tags = new Uint32Array(room * 2 + 16);
    this.#names = names;
  }

  /** Adds a quote behind the last. */
  push({ id, author, likes, tags, language, words }: Entry): void {
    const place = this.#quotes++;
    this.#ids[place] = id;
    this.#likes[place] = likes;
    this.#words.set(place, words);
    this.#author[place] = this.#names.author.meet(author);
    this.#language[place] = this.#names.language.meet(language);
    this.#makeRoom(tags.length);
    for (const tag of tags) this.#tags[this.#tagged++] = this.#names.tag.meet(tag);
    this.#tagStart[this.#quotes] = this.#tagged;
  }

  /** Adds the quotes from one place up to another, whose names have the same numbers. */
  copy(of: Gathered, from: number, to: number): void {
    const place = this.#quotes;
    this.#ids.set(of.ids.subarray(from, to), place);
    this.#likes.set(of.likes.subarray(from, to), place);
    this.#words.range(place, place + to - from).set(of.words.range(from, to));
    this.#author.set(of.author.subarray(from, to), place);
    this.#language.set(of.language.subarray(from, to), place);
    const first = of.tagStart[from] ?? 0;
    const tags = of.tags.subarray(first, of.tagStart[to]);
    this.#makeRoom(tags.length);
    this.#tags.set(tags, this.#tagged);
    for (let i = from; i < to; i++) {
      this.#tagStart[++this.#quotes] = (of.tagStart[i + 1] ?? 0) - first + this.#tagged;
    }
    this.#tagged += tags.length;
  }

  /** The columns as far as they are filled. */
  done(): Gathered {
    const quotes = this.#quotes;
    const author = this.#author.subarray(0, quotes);
    const language = this.#language.subarray(0, quotes);
    const tags = this.#tags.subarray(0, this.#tagged);
    this.#names.author.count(author);
    this.#names.language.count(language);
    this.#names.tag.count(tags);
    return {
      quotes,
      ids: this.#ids.subarray(0, quotes),
      likes: this.#likes.subarray(0, quotes),
      words: this.#words,
      author,
      language,
      tagStart: this.#tagStart.subarray(0, quotes + 1),
      tags,
      names: this.#names,
    };
  }

  #makeRoom(tags: number): void {
    if (this.#tagged + tags <= this.#tags.length) return;
    const larger = new Uint32Array((this.#tagged + tags) * 2);
    larger.set(this.#tags);
    this.#tags = larger;
  }
}
