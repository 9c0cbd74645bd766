/** The lists of terms: what there is of a kind, largest first, and authors by initial. */
import type {
  AuthorsPage,
  Initial,
  InitialPage,
  LanguageCount,
  ListingKind,
  Related,
  TermCount,
  TermLink,
} from "../types.ts";
import { noSuchPage } from "./no-such-page.ts";
import type { TermLabel } from "../../catalogue/read/rows.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import type { CatalogueTerm } from "../../catalogue/read/rows.ts";
import { languageOf } from "../../contract/languages.ts";
import { UNKNOWN_SLUG } from "../../plan/slug.ts";

/** Authors that `/authors/` names before its letters. */
const LARGEST_AUTHORS = 96;

/** Terms that have a name, largest first. */
export function largest(
  catalogue: Catalogue,
  kind: ListingKind,
  most = Number.MAX_SAFE_INTEGER,
): TermCount[] {
  // One more is read, for the author of quotes without author, whom a list of names leaves out.
  return catalogue
    .terms(kind, most + 1)
    .flatMap(named)
    .slice(0, most);
}

export function languageCounts(catalogue: Catalogue): LanguageCount[] {
  return largest(catalogue, "language").map((term) => ({
    ...term,
    language: languageOf(term.name),
  }));
}

/** Quotes without author. */
export function unattributed(catalogue: Catalogue): number {
  return catalogue.term("author", UNKNOWN_SLUG)?.members ?? 0;
}

export function authorsOf(catalogue: Catalogue): AuthorsPage {
  const nameless = unattributed(catalogue);
  return {
    total: catalogue.count("author") - (nameless > 0 ? 1 : 0),
    initials: initialsOf(catalogue),
    largest: largest(catalogue, "author", LARGEST_AUTHORS),
    unattributed: nameless,
  };
}

export function initialOf(catalogue: Catalogue, slug: string, page: number): InitialPage {
  const { ids } = catalogue.members("initial", slug, page) ?? noSuchPage("initial", slug, page);
  const initials = initialsOf(catalogue);
  return {
    initial: initials.find((initial) => initial.slug === slug) ?? noSuchPage("initial", slug, page),
    page,
    authors: Array.from(ids).flatMap((id) => named(catalogue.byId(id))),
    initials: initials.map(({ label, slug: other }) => ({ label, slug: other })),
  };
}

function initialsOf(catalogue: Catalogue): Initial[] {
  return catalogue.terms("initial").map(({ name, slug, members, pages }) => ({
    label: name ?? slug,
    slug,
    authors: members,
    pages,
  }));
}

export function relatedTo(catalogue: Catalogue, kind: ListingKind, slug: string): Related {
  const { tags, authors } = catalogue.related(kind, slug);
  const links = (labels: readonly TermLabel[]): TermLink[] =>
    labels.flatMap(({ name, slug: to }) => (name === null ? [] : [{ name, slug: to }]));
  return { tags: links(tags), authors: links(authors) };
}

type Counted = Pick<CatalogueTerm, "name" | "slug" | "members">;

function named(term: Counted | undefined): TermCount[] {
  if (term === undefined || term.name === null) return [];
  return [{ name: term.name, slug: term.slug, quotes: term.members }];
}
