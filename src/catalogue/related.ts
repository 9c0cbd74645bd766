/**
 * Which tags and authors stand most often beside each term: what its first page offers to go on with.
 *
 * A night moves many counts by one, and a page that showed each move would be made again. So counts are compared by
 * their size alone, two steps to each doubling; among equals the order of the keys decides, which is also the order
 * in which the chosen are shown.
 */
import type { Gathered } from "./gather.ts";
import type { Membership } from "./membership.ts";

/** Numbers of terms, in the order of their keys. */
export interface Related {
  readonly tags: readonly number[];
  readonly authors: readonly number[];
}

/** A listing of fewer quotes says all there is to say on its own cards. */
const FEWEST_QUOTES = 3;

/** Quotes that two terms must share: once is chance. */
const FEWEST_SHARED = 2;

/** How many of a kind are offered. */
const OFFERED = 8;

const NONE: Related = { tags: [], authors: [] };

/** @returns the related terms of each term, by its number */
export function relatedTerms({ quotes }: Gathered, membership: Membership): Related[] {
  const { terms, start, members } = membership;
  const named = namesOf(quotes, membership);
  const kinds = terms.map(({ kind }) => kind);
  const isNameless = terms.map(({ name }) => name === null);
  const counts = new Uint32Array(terms.length);
  const met = new Uint32Array(terms.length);
  const related = terms.map((_, term) => {
    const from = start[term] ?? 0;
    const to = start[term + 1] ?? 0;
    if (to - from < FEWEST_QUOTES) return NONE;
    const others = countBeside(members.subarray(from, to));
    const tags: number[] = [];
    const authors: number[] = [];
    for (const other of others) {
      const isUseful = other !== term && (counts[other] ?? 0) >= FEWEST_SHARED;
      if (isUseful && !isNameless[other]) (kinds[other] === "tag" ? tags : authors).push(other);
    }
    const chosen = { tags: mostBeside(tags), authors: mostBeside(authors) };
    for (const other of others) counts[other] = 0;
    return chosen;
  });
  return related.map((own, term) =>
    kinds[term] === "author" && !isNameless[term] && own !== NONE
      ? { tags: own.tags, authors: sharing(term, own.tags, related) }
      : own,
  );

  /** Counts the terms that these quotes name, into `counts`. */
  function countBeside(places: Uint32Array): Uint32Array {
    let found = 0;
    for (const place of places) {
      const end = named.start[place + 1] ?? 0;
      for (let at = named.start[place] ?? 0; at < end; at++) {
        const other = named.terms[at] ?? 0;
        const count = counts[other] ?? 0;
        if (count === 0) met[found++] = other;
        counts[other] = count + 1;
      }
    }
    return met.subarray(0, found);
  }

  function mostBeside(others: number[]): number[] {
    return first(others, (other) => sizeOf(counts[other] ?? 0));
  }
}

/** Authors that are much quoted under the same tags as this one: those that most of its tags offer. */
function sharing(author: number, tags: readonly number[], related: readonly Related[]): number[] {
  const votes = new Map<number, number>();
  for (const other of tags.flatMap((tag) => related[tag]?.authors ?? [])) {
    if (other !== author) votes.set(other, (votes.get(other) ?? 0) + 1);
  }
  return first([...votes.keys()], (other) => votes.get(other) ?? 0);
}

/** The first by weight and then by number, which is the order of the keys; given back in that order alone. */
function first(terms: number[], weightOf: (term: number) => number): number[] {
  return terms
    .sort((a, b) => weightOf(b) - weightOf(a) || a - b)
    .slice(0, OFFERED)
    .sort((a, b) => a - b);
}

/** A count's place on a scale of doublings and a half: 11 to 15 are one step, 16 to 22 the next. */
function sizeOf(count: number): number {
  return Math.floor(2 * Math.log2(count));
}

/** What `namedBy` says of every quote, in two arrays: it is asked for each listing that the quote is in. */
function namesOf(
  quotes: number,
  { members, namedBy }: Membership,
): { readonly start: Uint32Array; readonly terms: Uint32Array } {
  const start = new Uint32Array(quotes + 1);
  // Every quote is a member of its author's, its tags' and its language's listings: more than it has names.
  const terms = new Uint32Array(members.length);
  let filled = 0;
  for (let place = 0; place < quotes; place++) {
    for (const term of namedBy(place)) terms[filled++] = term;
    start[place + 1] = filled;
  }
  return { start, terms };
}
