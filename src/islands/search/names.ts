/**
 * Finds the authors and tags that a query names: without accents, from the first letters, and with a typing error or two.
 */
import { chunksFor, slugOfName, type ListedName } from "../../contract/search-lists.ts";
import { fold, searchedWords } from "../../util/fold.ts";
import { listIndex, loadList } from "./lists.ts";
import { NAME_COSTS } from "./ranking.ts";

export interface Name {
  readonly name: string;
  readonly kind: "author" | "tag";
  /** Number of its quotes. */
  readonly quotes: number;
  /** Path below the base path. */
  readonly path: string;
  /** What the site says of an author; empty for nothing. */
  readonly about: string;
  /** Whether the query is this name, and not a part of it or one like it. */
  readonly isExact: boolean;
}

/** Names of each kind that are shown. */
const MOST = 3;

/** Words of a query whose chunks are loaded: the longest. */
const LOOKED_UP = 2;

/** A name with at most so many quotes may be an error itself: "Ghandi". */
const RARE = 5;

/** Errors that a word may have, by its least number of letters, or that of the name's word: letters may be missing. */
const ERRORS = [
  { letters: 8, errors: 2 },
  { letters: 4, errors: 1 },
  { letters: 0, errors: 0 },
] as const;

const MOST_ERRORS = ERRORS[0].errors;

interface Listed {
  readonly name: Name;
  readonly words: readonly string[];
}

/**
 * Up to three authors and up to three tags: the exact name first, then near ones with many quotes. Authors come before tags, unless a
 * tag is the exact name. A query of which no name has all words, such as "einstein god", may have a name within.
 *
 * @param folder address of the index
 * @throws {Error} when the list cannot be loaded
 */
export async function findNames(text: string, folder: string): Promise<Name[]> {
  const words = searchedWords(text);
  if (words.length === 0) return [];
  const { names } = await listIndex(folder);
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, LOOKED_UP);
  const files = [...new Set(longest.flatMap((key) => chunksFor(names, key)))];
  const read = async (all: readonly string[]): Promise<readonly Listed[]> =>
    (await Promise.all(all.map((file) => readNames(folder, file)))).flat();
  const listed = await read(files);
  const found = best(words, listed);
  if (found.some(({ quotes }) => quotes > RARE)) return found;
  const within = found.length > 0 ? [] : namesWithin(words, listed);
  if (within.length > 0) return within;
  // An error in the first letters leads to another chunk: of an unknown word one more is loaded.
  const others = longest.flatMap(swapped).flatMap((key) => chunksFor(names, key));
  const more = [...new Set(others)].filter((file) => !files.includes(file));
  const most = found.length > 0 ? LOOKED_UP : 1;
  return more.length === 0 ? found : best(words, [...listed, ...(await read(more.slice(0, most)))]);
}

/** A word with two of its first letters swapped: the commonest error that leads to another chunk. */
const swapped = (word: string): string[] =>
  [0, 1].map(
    (at) => word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2),
  );

function readNames(folder: string, file: string): Promise<readonly Listed[]> {
  return loadList(folder, file, (rows) => (rows as ListedName[]).map(listed));
}

function listed([name, quotes, kind, slug, about = ""]: ListedName): Listed {
  const path = `/${kind}/${slug || slugOfName(fold(name))}/`;
  return { name: { name, kind, quotes, path, about, isExact: false }, words: searchedWords(name) };
}

function best(words: readonly string[], all: readonly Listed[]): Name[] {
  const found = new Map<string, { name: Name; cost: number }>();
  for (const { name, words: own } of all) {
    const cost = costOf(words, own);
    if (cost !== Infinity) found.set(name.path, { name: { ...name, isExact: cost < 0 }, cost });
  }
  const rank = ({ name, cost }: { name: Name; cost: number }): number =>
    name.isExact ? -Infinity : cost + NAME_COSTS.quotes.cost * Math.log10(Math.max(1, name.quotes));
  const ranked = [...found.values()].sort(
    (a, b) => rank(a) - rank(b) || b.name.quotes - a.name.quotes,
  );
  return firstOfKinds(ranked.map(({ name }) => name));
}

/** Letters of a last name that alone names an author. */
const LAST_NAME_LETTERS = 4;

/** The names that are among the words of a query, or whose last word is: those with most of its words first. */
function namesWithin(words: readonly string[], all: readonly Listed[]): Name[] {
  const typed = new Set(words);
  const found = new Map<string, { name: Name; shared: number }>();
  for (const { name, words: own } of all) {
    const last = own.at(-1) ?? "";
    const isLast = name.kind === "author" && last.length >= LAST_NAME_LETTERS && typed.has(last);
    if (own.length === 0 || !(isLast || own.every((word) => typed.has(word)))) continue;
    const shared = own.filter((word) => typed.has(word)).length;
    found.set(name.path, { name, shared });
  }
  const ranked = [...found.values()].sort(
    (a, b) => b.shared - a.shared || b.name.quotes - a.name.quotes,
  );
  return firstOfKinds(ranked.map(({ name }) => name));
}

function firstOfKinds(names: readonly Name[]): Name[] {
  const exact = names.filter(({ isExact }) => isExact).map(({ kind }) => kind);
  return [...new Set([...exact, "author", "tag"])].flatMap((kind) =>
    names.filter((name) => name.kind === kind).slice(0, MOST),
  );
}

/**
 * How far a query is from a name: -1 for the name itself, 0 for whole words of it, more for unfinished words and errors, and
 * infinite where a word of the query is none of the name.
 */
export function costOf(words: readonly string[], name: readonly string[]): number {
  const [query, whole] = [words.join(""), name.join("")];
  if (query === whole) return -1;
  let cost = 0;
  for (const [at, word] of words.entries()) {
    const isLast = at === words.length - 1;
    cost += Math.min(...name.map((own) => wordCost(word, own, isLast)));
    if (cost === Infinity) break;
  }
  // Words that are run together, or apart: "vangogh" of "Vincent van Gogh".
  for (const run of runsOf(name, query.length)) cost = Math.min(cost, errorsIn(query, run));
  return cost;
}

/**
 * Two or more words that follow one another, and a name of one word, each without spaces.
 *
 * @param units length of what they are compared with: no others are of use
 */
function* runsOf(name: readonly string[], units: number): Generator<string> {
  if (name.length === 1) yield* name;
  for (const from of name.keys()) {
    let run = name[from] ?? "";
    for (const word of name.slice(from + 1)) {
      run += word;
      if (run.length > units + MOST_ERRORS) break;
      yield run;
    }
  }
}

function wordCost(word: string, own: string, isLast: boolean): number {
  if (word === own) return 0;
  if (isLast && own.startsWith(word)) return NAME_COSTS.unfinished.cost;
  return errorsIn(word, own);
}

/** Errors that a word may have. */
export const errorsOf = (word: string): number =>
  ERRORS.find(({ letters }) => word.length >= letters)?.errors ?? 0;

/**
 * Errors between two words; infinite where there are more than words of their length may have. A letter in another place is one
 * error: "ghandi".
 */
function errorsIn(word: string, own: string): number {
  const most = errorsOf(word) === 0 ? 0 : Math.max(errorsOf(word), errorsOf(own));
  if (Math.abs(word.length - own.length) > most) return Infinity;
  const apart = distance(word, own, MOST_ERRORS);
  const errors = apart === 2 && sorted(word) === sorted(own) ? 1 : apart;
  return errors > most ? Infinity : errors * NAME_COSTS.error.cost;
}

const sorted = (word: string): string => [...word].sort().join("");

/**
 * Letters that are missing, too many, wrong, or swapped with the next (optimal string alignment).
 *
 * @param most a distance above it may be infinite
 */
export function distance(a: string, b: string, most = Infinity): number {
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, at) => at),
  ];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    // No later row has less.
    if (Math.min(...row) > most) return Infinity;
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
