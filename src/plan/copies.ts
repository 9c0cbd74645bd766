/**
 * Finds quotes of one author and language that say the same: texts that differ in case, punctuation, spaces and quotation
 * marks alone, and texts that differ in one word. The owner decides which of them to show.
 */
import type { Quote } from "../contract/quote.ts";
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

/** A text of fewer words that lacks one says something else. */
const FEWEST_WORDS = 5;

/** Quotes of an author and language that are compared word by word: the most liked. */
const MOST_COMPARED = 5_000;

/** Groups with the most quotes first. */
export function findCopies(quotes: Iterable<Quote>): CopyGroup[] {
  const shelves = new Map<string, Shelf>();
  for (const { id, text, likes, author, language } of quotes) {
    const key = `${keyOf("author", author)}\0${language.toLowerCase()}`;
    const shelf = getOrCompute(shelves, key, (): Shelf => ({ author, language, texts: new Map() }));
    // A text without letters is compared as it is.
    const words = fold(text) || text;
    getOrCompute(shelf.texts, words, (): CopyText[] => []).push({ id, text, likes });
  }
  const groups = [...shelves.values()].flatMap((shelf) => [...alikeIn(shelf), ...nearIn(shelf)]);
  return groups.sort((a, b) => b.quotes.length - a.quotes.length || first(a) - first(b));
}

const first = ({ quotes }: CopyGroup): number => quotes[0]?.id ?? 0;

interface Shelf {
  readonly author: string | null;
  readonly language: string;
  /** By the folded text. */
  readonly texts: Map<string, CopyText[]>;
}

const mostLikedFirst = (a: CopyText, b: CopyText): number => b.likes - a.likes || a.id - b.id;

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
