/** Finds the facts of an author by any spelling of the name. */
import type { AuthorFacts, AuthorsFile } from "../contract/author-facts.ts";
import { keyOf } from "./terms.ts";

/** By the key of a listing. */
export function factsByKey(authors: AuthorsFile): ReadonlyMap<string, AuthorFacts> {
  return new Map([...authors].map(([name, facts]) => [keyOf("author", name), facts]));
}

/** @returns a function that finds the facts of an author; null for none */
export function factsFinder(authors: AuthorsFile) {
  const byKey = factsByKey(authors);
  return (name: string | null): AuthorFacts | null =>
    name === null || byKey.size === 0 ? null : (byKey.get(keyOf("author", name)) ?? null);
}
