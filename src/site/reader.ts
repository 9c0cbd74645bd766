/**
 * Everything a page may ask for. Each answer costs a few rows by primary key, whatever the size of the collection.
 *
 * The lists of slugs are the exception: they grow with the number of pages, and hold nothing but keys.
 */
import type {
  AboutPage,
  AuthorsPage,
  BuildPage,
  CardData,
  HomePage,
  InitialPage,
  LanguageCount,
  ListingKind,
  ListingPage,
  ListingPath,
  PlannedPage,
  QuotePath,
  Related,
  Summary,
  TermCount,
  TodayPage,
} from "./types.ts";
import type { Part } from "../contract/part.ts";

export interface SiteReader {
  summary(): Summary;
  home(): HomePage;

  /**
   * The quote of the day for each language: the same all day, another the next.
   *
   * @param date `YYYY-MM-DD`; by default the day of the build, in UTC
   */
  today(date?: string): TodayPage;
  /** The day of the build, `YYYY-MM-DD`, UTC. */
  day(): string;

  /** Every page of a kind of listing, for `getStaticPaths`. */
  listingPaths(kind: ListingKind): ListingPath[];
  /** @throws {RangeError} when there is no such page */
  listing(kind: ListingKind, slug: string, page: number): ListingPage;
  /** What the first page of a listing offers to go on with; nothing where it has too few quotes to tell. */
  related(kind: ListingKind, slug: string): Related;

  /** All tags, largest first. */
  tags(): TermCount[];
  /** All languages, largest first. */
  languages(): LanguageCount[];

  /** The named authors with the most quotes, largest first. */
  mostQuoted(count: number): TermCount[];
  authors(): AuthorsPage;
  /** Every page of `/authors/<initial>/`, for `getStaticPaths`. */
  initialPaths(): ListingPath[];
  /** @throws {RangeError} when there is no such page */
  initial(slug: string, page: number): InitialPage;

  /** The most liked of the collection, ties by id; at most 500. */
  top(count: number): CardData[];
  /** Undefined when the snapshot has no such quote. */
  card(id: number): CardData | undefined;
  /**
   * A part of all cards by their digests; each costs a tenth of what asking for it alone does.
   *
   * @param isKept whether a digest's card is known already: it is null then
   */
  everyCard(
    part: Part,
    isKept: (digest: string) => boolean,
  ): Iterable<readonly [digest: string, card: CardData | null]>;
  /** Whether a person chose the quote, as the service says; null where nobody knows. */
  curated(id: number): boolean | null;
  /** The quotes with a page of their own, `/quote/<pk>/`, by id. */
  quotePaths(): QuotePath[];

  about(): AboutPage;
  /** What the page about the last build says. */
  lastBuild(): BuildPage;

  /** Every page of the site, always in the same order: the fixed ones, the listings, the index of authors, the quotes. */
  pages(): Iterable<PlannedPage>;
  /** Ids of the quotes on a page, in order; null where the plan does not say (indexes, `/today/`, `/about/`, 404). */
  quotesOn(page: PlannedPage): readonly number[] | null;
  close(): void;
}
