/**
 * Which tags and authors stand most often beside each term: what its first page offers to go on with.
 *
 * A night moves many counts by one, and a page that showed each move would be made again. So counts are compared by
 * their size alone, two steps to each doubling; among equals the order of the keys decides, which is also the order
 * in which the chosen are shown.
 */
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
export function relatedTerms(membership: Membership): Related[] {
  const { terms, start, members, named, namedStart } = membership;
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
      const end = namedStart[place + 1] ?? 0;
      for (let at = namedStart[place] ?? 0; at < end; at++) {
        const other = named[at] ?? 0;
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

/**
 * The first by weight and then by number, which is the order of the keys; given back in that order alone. The largest
 * languages stand beside every term there is, so these are gone through once and not sorted.
 */
function first(terms: readonly number[], weightOf: (term: number) => number): number[] {
  const best: { readonly term: number; readonly weight: number }[] = [];
  for (const term of terms) {
    const weight = weightOf(term);
    const isBefore = (other: { term: number; weight: number }): boolean =>
      other.weight > weight || (other.weight === weight && other.term < term);
    let place = best.length;
    for (let above = best.at(-1); above !== undefined && !isBefore(above); above = best[place - 1])
      place--;
    if (place === OFFERED) continue;
    best.splice(place, 0, { term, weight });
    best.length = Math.min(best.length, OFFERED);
  }
  return best.map(({ term }) => term).sort((a, b) => a - b);
}

/** A count's place on a scale of doublings and a half: 11 to 15 are one step, 16 to 22 the next. */
function sizeOf(count: number): number {
  return Math.floor(2 * Math.log2(count));
}
