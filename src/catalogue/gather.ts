/**
 * Reads the snapshot once, front to back, and keeps of each quote what listings are made of: its likes, its names as
 * numbers, and a digest of its words. No words stay in memory; a million quotes take some 50 MB.
 */
import { digest, Digests } from "./digests.ts";
import { shownLikes } from "./likes.ts";
import type { Spelling } from "../contract/term.ts";
import type { Database } from "../sqlite/database.ts";

/** The names of one kind, each with a number, in the order in which they were met. */
export class Names {
  readonly #numbers = new Map<string | null, number>();
  readonly #counts: number[] = [];

  /** Counts one more quote under a name. */
  count(name: string | null): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      this.#numbers.set(name, (number = this.#counts.length));
      this.#counts.push(0);
    }
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    return number;
  }

  numberOf(name: string | null): number {
    const number = this.#numbers.get(name);
    if (number === undefined) throw new RangeError(`Cannot find name ${name}: never counted`);
    return number;
  }

  get size(): number {
    return this.#counts.length;
  }

  *spellings(): Generator<Spelling> {
    for (const [name, number] of this.#numbers) yield { name, quotes: this.#counts[number] ?? 0 };
  }
}

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
  readonly names: { readonly author: Names; readonly language: Names; readonly tag: Names };
}

type Row = readonly [
  id: number,
  text: string,
  author: string | null,
  likes: number,
  tags: string,
  image: string | null,
  language: string,
];

/** Whether the site's operator shows a quote to nobody. */
export type IsHidden = (id: number, author: string | null, tags: readonly string[]) => boolean;

/**
 * @param pictureOf what tells one picture of a quote from another; null where it has none to show
 * @param isHidden quotes that the catalogue leaves out, as if the snapshot had none such
 */
export function gather(
  snapshot: Database,
  pictureOf: (image: string) => string | null,
  isHidden: IsHidden,
): Gathered {
  const quotes = snapshot.get<{ n: number }>("SELECT count(*) AS n FROM quotes")?.n ?? 0;
  const ids = new Float64Array(quotes);
  const likes = new Float64Array(quotes);
  const words = new Digests(quotes);
  const author = new Uint32Array(quotes);
  const language = new Uint32Array(quotes);
  const tagStart = new Uint32Array(quotes + 1);
  let tags = new Uint32Array(quotes * 2 + 16);
  const names = { author: new Names(), language: new Names(), tag: new Names() };
  let i = 0;
  let filled = 0;
  const rows = snapshot.tuples<Row>(
    "SELECT id, text, author, likes, tags, image, language FROM quotes ORDER BY id",
  );
  for (const [id, text, by, liked, tagged, image, spoken] of rows) {
    const tagNames = tagged === "[]" ? NO_TAGS : (JSON.parse(tagged) as string[]);
    if (isHidden(id, by, tagNames)) continue;
    ids[i] = id;
    likes[i] = liked;
    author[i] = names.author.count(by);
    language[i] = names.language.count(spoken);
    for (const tag of tagNames) {
      if (filled === tags.length) tags = grown(tags);
      tags[filled++] = names.tag.count(tag);
    }
    const picture = image === null ? null : pictureOf(image);
    // No text of ours holds a control character, so the separator cannot be part of one.
    const shown = `${id}\0${text}\0${spoken}\0${shownLikes(liked)}\0${picture ?? ""}`;
    words.set(i, digest(shown));
    tagStart[++i] = filled;
  }
  return {
    quotes: i,
    ids: ids.subarray(0, i),
    likes: likes.subarray(0, i),
    words,
    author: author.subarray(0, i),
    language: language.subarray(0, i),
    tagStart: tagStart.subarray(0, i + 1),
    tags: tags.subarray(0, filled),
    names,
  };
}

const NO_TAGS: readonly string[] = [];

function grown(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
