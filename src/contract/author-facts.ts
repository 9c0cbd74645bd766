/** What the owner of a site says of an author, in `site/authors.yaml`. */
export interface AuthorFacts {
  /** A line of biography, in the language of the site. */
  readonly bio: string | null;
  /** Such as `1817–1862`. */
  readonly years: string | null;
  /** Id of the item in Wikidata, such as `Q131149`. */
  readonly wikidata: string | null;
  /** Address of a page about the author. */
  readonly link: string | null;
  /** Path of a picture below `site/public`, such as `/authors/thoreau.jpg`. */
  readonly portrait: string | null;
}

/** By name; case, accents and punctuation do not matter. */
export type AuthorsFile = ReadonlyMap<string, AuthorFacts>;

/** Years and biography on one line; null where neither is known. */
export function factsLine(facts: AuthorFacts | null): string | null {
  const parts = [facts?.years, facts?.bio].filter((part) => typeof part === "string");
  return parts.length === 0 ? null : parts.join(" · ");
}
