/**
 * The order of the answers, as tables. `docs/search.md` prints them, with `meanings.ts`.
 *
 * A language that has the words of the query in a better rank comes first, whatever its size. Then come the language of the page,
 * the reader's languages, and the languages with more quotes.
 */

/** How a word of the query is found. The weakest word of the query counts. */
export const RANKS = {
  exact: { points: 3 },
  folded: { points: 2 },
  stem: { points: 1 },
  similar: { points: 0 },
} as const;

export type Rank = keyof typeof RANKS;

/** Where the words are in a quote. Among answers of one rank, those with more points come first, then those with more likes. */
export const PLACES = {
  name: { points: 6 },
  sentence: { points: 5 },
  author: { points: 4 },
  phrase: { points: 3 },
  apart: { points: 1 },
} as const;

export type Place = keyof typeof PLACES;

/**
 * The beginning that a word shares with its forms, as a part of it: a language with such a word is asked, and a word that its
 * index finds is a form of it, whatever the stemmer says.
 */
export const SHARED = { asked: 1 / 2, form: 2 / 3 } as const;

/** How far a name is from a query; nearer names come first. Whole words of the name cost nothing. */
export const NAME_COSTS = {
  error: { cost: 1 },
  unfinished: { cost: 1 / 2 },
  quotes: { cost: -1 / 2 },
} as const;

/** Letters that forms share at least. */
const LEAST_LETTERS = 3;

/** Whether a word shares a part of the beginning of another. */
export function sharesBeginning(word: string, of: string, part: number): boolean {
  const least = Math.max(LEAST_LETTERS, Math.ceil(of.length * part));
  return of.length >= least && word.startsWith(of.slice(0, least));
}

/** Languages that are asked for forms of a word that none has: each costs some 100 kB. */
export const MOST_STEMS = 3;

/** Score of an answer, higher is better. @param share of the words of the query that the quote has as typed, from 0 to 1 */
export const scoreFor = (rank: Rank, place: Place, share: number): number =>
  10 * RANKS[rank].points + PLACES[place].points + 0.9 * share;

/** Whether one answer of a score is enough: it has the sentence or the name. An exact word apart from the others has not. */
export const isCertain = (score: number): boolean =>
  score >= 10 * RANKS.folded.points && score % 10 >= PLACES.sentence.points;
