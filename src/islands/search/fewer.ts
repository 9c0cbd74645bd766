/**
 * Queries of fewer words, where no quote has all of a query: people name what they look for, and not what a quote says, as in
 * "einstein god dice" or "quotes about death".
 */
import { searchedWords } from "../../util/fold.ts";
import type { Name } from "./names.ts";
import { splitWords } from "./query.ts";
import { lookUpWords } from "./words.ts";

/** Words of a query that are looked up, of those that may be the most telling. */
const LOOKED_UP = 6;

/** Words that say what all on the site is, on pages in every language. */
const OF_ALL = ["quote", "quotes", "quotation", "quotations", "saying", "sayings"];

/** Words between one of those and what the quotes are of, in the languages of the pages: "quotes about death", "Zitate von Goethe". */
const BETWEEN =
  "about by on of from for sur de du des par über von zu sobre por del su di da do о об от про عن من על של מאת hakkında पर के সম্পর্কে గురించి";

/** Punctuation around a word. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu;

interface Word {
  readonly text: string;
  readonly key: string;
  readonly isNamed: boolean;
}

/**
 * Up to four queries of some words of a query, the largest first. Words that no language has are left out, then those that say what
 * all is; words of a name and long ones are left out last.
 *
 * @param names that the query names
 * @param own the page's words for quotes
 * @param slugs of the languages that are searched
 * @param folder address of the index
 * @throws {Error} when the list of words cannot be loaded
 */
export async function fewerWords(
  text: string,
  names: readonly Name[],
  own: readonly string[],
  slugs: readonly string[],
  folder: string,
): Promise<string[]> {
  const named = new Set(names.flatMap(({ name }) => searchedWords(name)));
  const all = wordsOf(text, named);
  if (all.length < 2) return [];
  // Of words of one length the last is what the others are about.
  const telling = all.toReversed().sort(byWeight).slice(0, LOOKED_UP);
  const looked = await Promise.all(
    telling.map(async (word) => ({ word, found: await lookUpWords(word.text, folder) })),
  );
  const known = looked
    .filter(({ found }) => slugs.some((slug) => found.standingOf(slug).rank !== "similar"))
    .map(({ word }) => word);
  const ofAll = keysForQuotes(own);
  const between = new Set(searchedWords(BETWEEN));
  const isOfAll = (word: Word | undefined): boolean => word !== undefined && ofAll.has(word.key);
  const isBetween = (word: Word): boolean => {
    const at = all.indexOf(word);
    return between.has(word.key) && (isOfAll(all[at - 1]) || isOfAll(all[at + 1]));
  };
  const specific = known.filter((word) => !isOfAll(word) && !isBetween(word));
  const kept = specific.length > 0 ? specific : known;
  const sizes = new Set([kept.length, kept.length - 1, 2, 1]);
  return [...sizes]
    .filter((size) => size > 0 && size <= kept.length && size < all.length)
    .map((size) => {
      const some = new Set(kept.slice(0, size));
      return all.flatMap((word) => (some.has(word) ? [word.text] : [])).join(" ");
    });
}

/** Keys of the words for quotes. @param own those of the page */
export const keysForQuotes = (own: readonly string[]): ReadonlySet<string> =>
  new Set([...OF_ALL, ...own].flatMap(searchedWords));

function wordsOf(text: string, named: ReadonlySet<string>): Word[] {
  const words = splitWords(text)
    .map((word): Word => {
      const key = searchedWords(word).join("");
      return { text: word.replace(AROUND, ""), key, isNamed: named.has(key) };
    })
    .filter(({ key }) => key !== "");
  return [...new Map(words.map((word) => [word.key, word])).values()];
}

const byWeight = (a: Word, b: Word): number =>
  Number(b.isNamed) - Number(a.isNamed) || b.key.length - a.key.length;
