/**
 * The lists beside the search index: names of authors and tags, and words with their languages.
 *
 * `pagefind/_lists/index.json` is a `ListIndex`. A list is one file, or is cut into chunks by the first letters of its keys, so
 * that a query loads a few kilobytes. The name of a chunk has a digest of its content: a cached index never leads to a newer chunk.
 */

/** Folder of the lists below that of the index. No language has this code. */
export const LISTS_FOLDER = "_lists";

/** Files of a list with the least key of each, in the order of the keys. A key is a word as `searchedWords()` gives it. */
export type Chunks = readonly (readonly [from: string, file: string])[];

export interface ListIndex {
  /** JSON arrays of `ListedName`. A name is in the chunk of each of its words. */
  readonly names: Chunks;
  /** JSON arrays of `ListedSpelling`. */
  readonly words: Chunks;
  /** Slugs of the languages whose words are in the list. */
  readonly languages: readonly string[];
  /** By slug: files in the bundle of a language that every search in it needs. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

/**
 * A spelling and the slugs of the languages that have it, with commas: `liberté fr`. Spellings of one key are in one chunk. A
 * language whose index has the word only inside of others names them: `oubli fr:doubli,fr:loubli`.
 */
export type ListedSpelling = string;

/**
 * An author or a tag. The slug is left out, or empty, where it follows from the name: see `slugOfName()`. The last is what the
 * site says of an author.
 */
export type ListedName = readonly [
  name: string,
  quotes: number,
  kind: "author" | "tag",
  slug?: string,
  about?: string,
];

/** The slug of most names. @param words of the name, as `fold()` gives them */
export const slugOfName = (words: string): string => words.replaceAll(" ", "-");

/**
 * The files that may have a key, or keys that begin with it: one, or two where a chunk begins with such a key.
 *
 * @returns an empty list where there are no chunks
 */
export function chunksFor(chunks: Chunks, key: string): string[] {
  const at = chunks.findLastIndex(([from]) => from <= key);
  const next = chunks[at + 1];
  const files = [chunks[at], next?.[0].startsWith(key) === true ? next : undefined];
  return files.flatMap((chunk) => chunk?.[1] ?? []);
}

/** Folder of the ranks in the bundle of a language. */
export const RANKS_FOLDER = "ranks";

/** Where quotes are in the listing of their language. It changes with their likes, and the index does not. */
export interface RankFile {
  /** Quotes on a page of the listing. */
  readonly perPage: number;
  /** By the id of a document of the index: the rank of each of its quotes, from 0. */
  readonly ranks: Readonly<Record<string, readonly number[]>>;
}

/** The file with the ranks of a document. Its id ends in hexadecimal digits: `en_1cbeaaa`. */
export const rankFileOf = (id: string): string =>
  `${id.slice(id.lastIndexOf("_") + 1).slice(0, 2)}.json`;
