/** Listing pages: which there are, what is on one, and which quotes a day takes from them. */
import type { CardMaker } from "./cards.ts";
import { placeOfDay } from "./day.ts";
import { noSuchPage } from "./no-such-page.ts";
import type {
  LanguageCount,
  ListingKind,
  ListingPage,
  ListingPath,
  PlannedPage,
  TermLink,
} from "../types.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import type { TermKind } from "../../catalogue/schema.ts";
import { languageOf } from "../../contract/languages.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";

export interface ListingParts {
  readonly snapshot: PublishedSnapshot;
  readonly catalogue: Catalogue;
  readonly cards: CardMaker;
}

/** @throws {RangeError} when there is no such page */
export function listingOf(
  { snapshot, catalogue, cards }: ListingParts,
  kind: ListingKind,
  slug: string,
  page: number,
): ListingPage {
  const term = catalogue.term(kind, slug) ?? noSuchPage(kind, slug, page);
  const members = catalogue.members(kind, slug, page) ?? noSuchPage(kind, slug, page);
  const { name, pages, members: total } = term;
  return {
    kind,
    name,
    slug,
    language: kind === "language" ? languageOf(name ?? slug) : null,
    page,
    pages,
    total,
    languages: members.languages,
    ids: Array.from(members.ids),
    cards: cards.later(members, snapshot),
  };
}

export function pathsOf(catalogue: Catalogue, kind: TermKind): ListingPath[] {
  return catalogue.paths(kind).map(({ slug, page, digest }) => ({ slug, page, digest }));
}

export function quotesOn(
  catalogue: Catalogue,
  { kind, slug, page }: PlannedPage,
): readonly number[] | null {
  if (kind === "quote") return [Number(slug)];
  if (kind !== "tag" && kind !== "author" && kind !== "language") return null;
  const { ids } = catalogue.members(kind, slug, page) ?? noSuchPage(kind, slug, page);
  return Array.from(ids);
}

/**
 * Ids of a day's quotes, one for each language, the site's own language first.
 *
 * @param languages largest first
 * @param date `YYYY-MM-DD`
 */
export function idsOfDay(
  site: { readonly catalogue: Catalogue; readonly language: string; readonly perPage: number },
  languages: readonly LanguageCount[],
  date: string,
): number[] {
  const { catalogue, language, perPage } = site;
  const own = (term: TermLink): number => Number(term.slug === language);
  return languages
    .toSorted((a, b) => own(b) - own(a))
    .flatMap(({ slug, quotes }) => {
      const place = placeOfDay(date, quotes);
      const page = Math.floor(place / perPage) + 1;
      return catalogue.members("language", slug, page)?.ids[place % perPage] ?? [];
    });
}
