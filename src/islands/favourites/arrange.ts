/** The order in which the book of favourites shows its quotes: what a filter leaves, and groups with a heading. */
import { sifter } from "../sifter.ts";
import type { Favourite } from "./store.ts";

/** `own`: the reader's order, without groups. */
export type Grouping = "own" | "author" | "tag" | "day";

export interface Group {
  /** Null for the reader's own order; empty for quotes without a day or a tag. */
  readonly name: string | null;
  readonly quotes: readonly Favourite[];
}

/** The quotes that have all words of a text, in their own words, author, tags or note. */
export function sift(quotes: readonly Favourite[], words: string): readonly Favourite[] {
  if (words.trim() === "") return quotes;
  const isWanted = sifter(words);
  return quotes.filter(({ quote, author, tags = [], note = "" }) =>
    isWanted([quote, author, note, ...tags.map(([name]) => name)].join("\n")),
  );
}

/**
 * @param quotes in the reader's order
 * @param compare orders names
 * @returns groups by name, days newest first; a quote with several tags is in the group of each
 */
export function arrange(
  quotes: readonly Favourite[],
  by: Grouping,
  compare: (a: string, b: string) => number,
): readonly Group[] {
  if (by === "own") return [{ name: null, quotes }];
  const namesOf: Record<Exclude<Grouping, "own">, (quote: Favourite) => readonly string[]> = {
    author: ({ author }) => [author],
    tag: ({ tags = [] }) => (tags.length === 0 ? [""] : tags.map(([name]) => name)),
    day: ({ at = "" }) => [at.slice(0, 10)],
  };
  const groups = new Map<string, Favourite[]>();
  for (const quote of quotes) {
    for (const name of new Set(namesOf[by](quote)))
      groups.set(name, [...(groups.get(name) ?? []), quote]);
  }
  const order = by === "day" ? (a: string, b: string) => (a < b ? 1 : -1) : compare;
  // What has no name is last.
  return Array.from(groups, ([name, own]) => ({ name, quotes: own })).sort((a, b) =>
    a.name === "" ? 1 : b.name === "" ? -1 : order(a.name, b.name),
  );
}
