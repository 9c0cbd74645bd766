/**
 * Finds quotes of one author and language that say the same. Texts that fold alike, which differ in case, accents, punctuation,
 * spaces and quotation marks alone, are copies: the site shows the most liked. Of texts that differ in one word, the owner
 * decides.
 */
import type { Corrections } from "../contract/corrections.ts";
import type { Quote } from "../contract/quote.ts";
import { digest } from "./card.ts";
import { fold } from "../util/fold.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { keyOf } from "./terms.ts";

export interface CopyGroup {
  /** `alike`, or `near` where the texts differ in a word. */
  readonly kind: "alike" | "near";
  readonly author: string | null;
  readonly language: string;
  /** Most liked first, ties by pk. */
  readonly quotes: readonly CopyText[];
}

type CopyText = Pick<Quote, "id" | "text" | "likes">;

type Liked = Pick<Quote, "id" | "likes">;

/** A text of fewer words that lacks one says something else. */
const FEWEST_WORDS = 5;

/** Quotes of an author and language that are compared word by word: the most liked. */
const MOST_COMPARED = 5_000;

/** @returns a function that gives copies one key, and other quotes others */
export function copyKeys(): (quote: Quote) => string {
  const authors = new Map<string | null, string>();
  return ({ author, language, text }) => {
    const key = getOrCompute(authors, author, () => keyOf("author", author));
    return digest(`${shelfOf(key, language)}\0${wordsOf(text)}`);
  };
}

/** What is compared of a quote. */
interface Copy extends Liked {
  /** From `copyKeys()`; null where copies are shown. */
  readonly copyKey: string | null;
  readonly language: string;
  /** Its author first. */
  readonly names: readonly { readonly name: string | null }[];
}

/**
 * Finds the original of each copy: the quote that the owner chose, or the most liked, ties by pk.
 *
 * @param chosen copies by the pk of the original
 * @returns `originalOf()` gives null for a quote that is no copy; `remarks` are lines about choices that have no effect
 */
export function foldCopies<Draft extends Copy>(
  quotes: readonly Draft[],
  chosen: Corrections["copies"],
) {
  const { rootOf, originals, remarks } = choicesAmong(quotes, chosen);
  const isChosen = new Set(originals.keys());
  for (const quote of quotes) {
    const key = rootOf(quote);
    if (isChosen.has(key)) continue;
    const best = originals.get(key);
    if (best === undefined || mostLikedFirst(quote, best) < 0) originals.set(key, quote);
  }
  const originalOf = (quote: Draft): Draft | null => {
    const original = originals.get(rootOf(quote)) ?? quote;
    return original === quote ? null : original;
  };
  return { originalOf, remarks };
}

/** Joins the groups of copies that the owner takes for one. */
function choicesAmong<Draft extends Copy>(quotes: readonly Draft[], chosen: Corrections["copies"]) {
  const byId = new Map(chosen.size === 0 ? [] : quotes.map((quote) => [quote.id, quote]));
  /** The key of a group by that of one that joined it. */
  const joined = new Map<string | null, string | null>();
  const rootOf = ({ copyKey }: Copy): string | null => {
    let key = copyKey;
    for (let next = joined.get(key); next !== undefined; next = joined.get(key)) key = next;
    return key;
  };
  const shelf = ({ names: [author], language }: Copy): string =>
    shelfOf(keyOf("author", author?.name ?? null), language);
  const remarks: string[] = [];
  const first: Draft[] = [];
  for (const [id, others] of chosen) {
    const original = byId.get(id);
    if (original !== undefined) first.push(original);
    for (const other of others) {
      const copy = byId.get(other);
      const name = `copy ${other} of quote ${id}`;
      if (original === undefined || copy === undefined)
        remarks.push(`${name}: the site shows no quote ${copy === undefined ? other : id}`);
      else if (shelf(copy) !== shelf(original))
        remarks.push(`${name}: it has another author or language`);
      else if (rootOf(copy) !== rootOf(original)) joined.set(rootOf(copy), rootOf(original));
    }
  }
  // Of two choices in one group, the first counts.
  const originals = new Map(first.reverse().map((quote) => [rootOf(quote), quote]));
  return { rootOf, originals, remarks };
}

/** Groups with the most quotes first. */
export function findCopies(quotes: Iterable<Quote>): CopyGroup[] {
  const shelves = new Map<string, Shelf>();
  for (const { id, text, likes, author, language } of quotes) {
    const key = shelfOf(keyOf("author", author), language);
    const shelf = getOrCompute(shelves, key, (): Shelf => ({ author, language, texts: new Map() }));
    getOrCompute(shelf.texts, wordsOf(text), (): CopyText[] => []).push({ id, text, likes });
  }
  const groups = [...shelves.values()].flatMap((shelf) => [...alikeIn(shelf), ...nearIn(shelf)]);
  return groups.sort((a, b) => b.quotes.length - a.quotes.length || first(a) - first(b));
}

const first = ({ quotes }: CopyGroup): number => quotes[0]?.id ?? 0;

/** Names an author and a language. @param author its key */
const shelfOf = (author: string, language: string): string =>
  `${author}\0${language.toLowerCase()}`;

/** A text without letters is compared as it is. */
const wordsOf = (text: string): string => fold(text) || text;

interface Shelf {
  readonly author: string | null;
  readonly language: string;
  /** By the folded text. */
  readonly texts: Map<string, CopyText[]>;
}

const mostLikedFirst = (a: Liked, b: Liked): number => b.likes - a.likes || a.id - b.id;

function alikeIn({ author, language, texts }: Shelf): CopyGroup[] {
  return [...texts.values()]
    .filter(({ length }) => length > 1)
    .map((quotes) => ({ kind: "alike", author, language, quotes: quotes.sort(mostLikedFirst) }));
}

/** Texts that are one text without a word of each: every text is filed under each of its shorter forms. */
function nearIn({ author, language, texts }: Shelf): CopyGroup[] {
  const forms = new Map<string, Set<string>>();
  const some = [...texts.keys()]
    .map((text) => ({ text, words: text.split(" ") }))
    .filter(({ words }) => words.length >= FEWEST_WORDS)
    .slice(0, MOST_COMPARED);
  for (const { text, words } of some) {
    for (const place of [...words.keys(), null]) {
      const form = place === null ? text : words.toSpliced(place, 1).join(" ");
      getOrCompute(forms, form, () => new Set<string>()).add(text);
    }
  }
  const groups = new Map<string, CopyGroup>();
  for (const members of forms.values()) {
    if (members.size < 2) continue;
    const quotes = [...members].flatMap((text) => texts.get(text) ?? []).sort(mostLikedFirst);
    groups.set(quotes.map(({ id }) => id).join(), { kind: "near", author, language, quotes });
  }
  return [...groups.values()];
}
