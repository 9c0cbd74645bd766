/** Makes the lists beside the search index: which names there are, and how they are cut into files. */
import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import {
  slugOfName,
  type Chunks,
  type ListedName,
  type ListIndex,
} from "../contract/search-lists.ts";
import { fold, type IndexedWord, listedWords, searchedWords } from "../util/fold.ts";
import { shorten } from "../util/text.ts";

/** The author or tag of a listing. */
export interface NamedListing {
  readonly name: string;
  readonly slug: string;
  readonly quotes: number;
  /** What the site says of an author. */
  readonly about?: string | null;
}

export interface Names {
  readonly author: readonly NamedListing[];
  readonly tag: readonly NamedListing[];
}

/** Bytes of a whole list, as a host compresses it, up to which it is one file. */
const WHOLE_BYTES = 40_000;

/** A list of names is never packed to less than a part of this: a larger one is not compressed to know its size. */
const MOST_PACKED = 10;

/** Bytes of a chunk before compression, which leaves a third. */
const CHUNK_BYTES = 32_000;

/** A longer name is none that a reader types, and would fill a chunk. In UTF-16 units. */
const LONGEST_NAME = 120;

/** What is said of an author in a suggestion. In UTF-16 units. */
const LONGEST_ABOUT = 60;

/** Words of a name by which it is found. */
const MOST_WORDS = 8;

/** Shorter words, such as "de" and "of", are in too many names, and are keys only of a name without a longer word. */
const LEAST_LETTERS = 3;

interface Entry {
  readonly key: string;
  /** JSON. */
  readonly row: string;
  /** Of the row and the comma after it. */
  readonly bytes: number;
}

const entryOf = (key: string, row: string): Entry => {
  return { key, row, bytes: Buffer.byteLength(row) + 1 };
};

/**
 * The files of the lists by name, and their index as `index.json`.
 *
 * @param tokens by slug of a language: its words as a `WordSet` has them
 */
export function makeLists(
  names: Names,
  tokens: ReadonlyMap<string, readonly string[]>,
  parts: ListIndex["parts"] = {},
): Map<string, string> {
  const files = new Map<string, string>();
  const index: ListIndex = {
    names: namesIn(names, files),
    words: wordsIn(tokens, files),
    languages: [...tokens.keys()],
    parts,
  };
  files.set("index.json", JSON.stringify(index));
  return files;
}

/** A longer word is none that a reader types. In UTF-16 units. */
const LONGEST_WORD = 40;

/** Words of the index by which a word inside of them is found in a language. Each may load another part of the index. */
const MOST_COMPOUNDS = 3;

function wordsIn(
  tokens: ReadonlyMap<string, readonly string[]>,
  files: Map<string, string>,
): Chunks {
  /** By spelling: its key, and the slugs of the languages that have it. */
  const words = new Map<string, { readonly key: string; readonly slugs: string[] }>();
  const add = (key: string, spelling: string, slug: string): void => {
    const slugs = words.get(spelling)?.slugs;
    if (slugs === undefined) words.set(spelling, { key, slugs: [slug] });
    else if (slugs.at(-1) !== slug) slugs.push(slug);
  };
  for (const [slug, own] of tokens) {
    const inside: IndexedWord[] = [];
    for (const token of own) {
      for (const word of listedWords(token)) {
        const { key, spelling, inside: compound } = word;
        if (key === "" || Math.max(spelling.length, compound.length) > LONGEST_WORD) continue;
        if (compound === "") add(key, spelling, slug);
        else inside.push(word);
      }
    }
    // A language that has the word itself needs no others, and of others the first are enough.
    const others = inside.filter(({ spelling }) => words.get(spelling)?.slugs.at(-1) !== slug);
    for (const [spelling, found] of Map.groupBy(others, (word) => word.spelling)) {
      const compounds = new Set(found.map((word) => word.inside));
      for (const compound of [...compounds].slice(0, MOST_COMPOUNDS))
        add(found[0]?.key ?? "", spelling, `${slug}:${compound}`);
    }
  }
  const entries = Array.from(words, ([spelling, { key, slugs }]) =>
    entryOf(key, JSON.stringify(`${spelling} ${slugs.join()}`)),
  );
  const chunks = cut(entries).map(({ from, rows }) => ({ from, rows: new Set([...rows].sort()) }));
  return place("words", chunks, files);
}

function namesIn(names: Names, files: Map<string, string>): Chunks {
  const kinds = ["author", "tag"] as const;
  const rows = kinds.flatMap((kind) =>
    names[kind]
      .filter(({ name }) => name.length <= LONGEST_NAME)
      .map((named) => ({ ...named, row: rowOf(kind, named), keys: keysOf(named.name) }))
      .filter(({ keys }) => keys.length > 0),
  );
  if (rows.length === 0) return [];
  // The names with most quotes come first, and stay where a chunk is full.
  rows.sort((a, b) => b.quotes - a.quotes || (a.row < b.row ? -1 : 1));
  const whole = { from: "", rows: new Set(rows.map(({ row }) => row)) };
  const content = fileOf(whole.rows);
  if (content.length <= MOST_PACKED * WHOLE_BYTES && gzipSync(content).length <= WHOLE_BYTES)
    return place("names", [whole], files);
  return place(
    "names",
    cut(rows.flatMap(({ keys, row }) => keys.map((key) => entryOf(key, row)))),
    files,
  );
}

function rowOf(kind: ListedName[2], { name, slug, quotes, about = null }: NamedListing): string {
  const other = slug === slugOfName(fold(name)) ? "" : slug;
  const end = about === null ? [other] : [other, shorten(about, LONGEST_ABOUT)];
  const row = [name, quotes, kind, ...end];
  return JSON.stringify(row.at(-1) === "" ? row.slice(0, -1) : row);
}

/** Empty for a name without a letter or digit. */
function keysOf(name: string): string[] {
  const words = [...new Set(searchedWords(name))];
  const long = words.filter(({ length }) => length >= LEAST_LETTERS);
  return (long.length > 0 ? long : words).slice(0, MOST_WORDS);
}

interface Chunk {
  readonly from: string;
  /** A name with two words of the chunk is there once. */
  readonly rows: Set<string>;
}

/**
 * Cuts entries into chunks by the first letters of their keys: as few letters as give chunks that are small enough. What shares
 * a key stays together up to the size of a chunk, and the rest is left out.
 *
 * @param entries in the order in which a chunk keeps them
 */
function cut(entries: readonly Entry[]): Chunk[] {
  const chunks: Chunk[] = [];
  let size = Infinity;
  const add = (group: readonly Entry[], letters: number): void => {
    const groups = [...Map.groupBy(group, ({ key }) => key.slice(0, letters))];
    for (const [from, own] of groups.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const bytes = own.reduce((sum, entry) => sum + entry.bytes, 0);
      if (bytes > CHUNK_BYTES && own.some(({ key }) => key.length > letters)) {
        size = Infinity;
        add(own, letters + 1);
        size = Infinity;
      } else {
        if (size + bytes > CHUNK_BYTES) {
          chunks.push({ from: chunks.length === 0 ? "" : from, rows: new Set() });
          size = 0;
        }
        const rows = chunks.at(-1)?.rows;
        for (const entry of own) {
          size += entry.bytes;
          if (size <= CHUNK_BYTES) rows?.add(entry.row);
        }
      }
    }
  };
  add(entries, 1);
  return chunks;
}

const fileOf = (rows: ReadonlySet<string>): string => `[${[...rows].join(",\n")}]`;

function place(list: string, chunks: readonly Chunk[], files: Map<string, string>): Chunks {
  return chunks.map(({ from, rows }) => {
    const content = fileOf(rows);
    const file = `${list}-${hash("sha256", content).slice(0, 10)}.json`;
    files.set(file, content);
    return [from, file];
  });
}
