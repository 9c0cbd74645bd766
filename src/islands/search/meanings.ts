/** What the rows of the tables of `ranking.ts` mean, for `docs/search.md`: no page loads it. */
import type { NAME_COSTS, Place, Rank } from "./ranking.ts";

export const RANK_MEANINGS: Readonly<Record<Rank, string>> = {
  exact: "The word as it was typed, in any case of letters.",
  folded: "The word without accents, and as `src/util/fold.ts` folds letters.",
  stem: "A form of the word: by the stemmer of the language, or with two thirds of its beginning. A word that begins with it. A language is asked where a word has half of the beginning.",
  similar: "One or two letters differ. It is no answer: the page offers it as another query.",
};

export const PLACE_MEANINGS: Readonly<Record<Place, string>> = {
  name: "They are the author's name.",
  sentence: "They are together in the quote, and more than a name has.",
  author: "All are in the author's name.",
  phrase: "They are together in the quote.",
  apart: "They are in the quote, the author's name or the tags.",
};

export const COST_MEANINGS: Readonly<Record<keyof typeof NAME_COSTS, string>> = {
  error: "A letter that is missing, too many, wrong, or in another place.",
  unfinished: "The last word is typed in part: it comes after a whole word, and before an error.",
  quotes:
    "Ten times the quotes. A hundred times the quotes outweigh an error: collections misspell names, too.",
};
