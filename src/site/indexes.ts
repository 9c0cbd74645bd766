/** The lists of `/tags/`, `/languages/` and `/authors/`: largest first. */
import { languageOf, type Language } from "../contract/languages.ts";
import { UNKNOWN_SLUG, type ListingKind, type ListingRow } from "../plan/index.ts";
import type { TermLink } from "./cards.ts";
import type { Sources } from "./sources.ts";

/** A link with the number of quotes behind it. */
export interface TermCount extends TermLink {
  readonly quotes: number;
}

export interface LanguageCount extends TermCount {
  readonly language: Language;
}

/** A group of `/authors/<slug>/`: a letter of any script, `漢` for all Han characters, `#` for digits and signs. */
export interface InitialLink {
  readonly label: string;
  readonly slug: string;
}

/** Authors that `/authors/` names before its letters. */
const LARGEST_AUTHORS = 96;

/** Those of the listings that have a name. */
export function counts(listings: readonly ListingRow[]): TermCount[] {
  return listings.flatMap(({ name, slug, members: quotes }) =>
    name === null ? [] : [{ name, slug, quotes }],
  );
}

/** A group with the number of its authors, and of its pages: `/authors/<slug>/`, `/authors/<slug>/2/`, … */
export function initialOf({ name, slug, members, pages }: ListingRow) {
  return { label: name ?? slug, slug, authors: members, pages };
}

export type IndexReads = ReturnType<typeof indexReads>;

export function indexReads({ plan }: Sources) {
  let languages: readonly LanguageCount[] | undefined;
  return {
    /** The listings of a kind that have a name. */
    largest,

    tags: (): TermCount[] => largest("tag"),

    // Every page of a language names all of them.
    languages: (): readonly LanguageCount[] =>
      (languages ??= largest("language").map((term) => {
        return { ...term, language: languageOf(term.name) };
      })),

    /** `/authors/`: the way in. */
    authors: () => ({
      total: plan.count("author"),
      initials: plan.listings("initial").map(initialOf),
      largest: largest("author", LARGEST_AUTHORS),
      /** Quotes without author; 0 where there are none, and then `/author/unknown/` does not exist. */
      unattributed: plan.listing("author", UNKNOWN_SLUG)?.members ?? 0,
    }),
  };

  function largest(kind: ListingKind, most = Number.MAX_SAFE_INTEGER - 1): TermCount[] {
    // One more is read, since the author of unattributed quotes is left out.
    return counts(plan.listings(kind, most + 1)).slice(0, most);
  }
}
