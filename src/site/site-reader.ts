/** The data of pages as it is promised to the pages and components of a site (docs/api.md). */
import type { ListingKind, PageKind, PlannedPage } from "../plan/index.ts";
import type { CardData, MoreQuotes } from "./cards.ts";
import type { Day, DayPage } from "./days.ts";
import type { Summary } from "./facts.ts";
import type { FoundQuotes, QuoteFilter } from "./find-quotes.ts";
import type { Home } from "./home.ts";
import type {
  AuthorsIndex,
  InitialPage,
  LanguageCount,
  ListingPage,
  RelatedListings,
  TermCount,
} from "./listings.ts";
import type { NewDay } from "./new-quotes.ts";

/**
 * Reads the published snapshot and its plan. A method reads a few rows by key, so a page may call it as it is rendered. Nothing
 * changes while a site is built. Slugs are those of addresses, such as `seneca` in `/author/seneca/`.
 */
export interface SiteReader {
  /** Totals, age and completeness of the collection. They change every night: show them on pages of your own. */
  summary(): Summary;

  /** A quote by its `pk`, as a card shows it; undefined if the site does not show the quote. */
  card(id: number): CardData | undefined;

  /** What the page of a quote links to: three quotes, of its author first, then of its tags, and its neighbours. */
  moreFor(card: CardData): MoreQuotes;

  /** The most liked quotes, ties by `pk`. @param count at most 10,000 */
  top(count: number): readonly CardData[];

  /** All languages, those with most quotes first. */
  languages(): readonly LanguageCount[];

  /** All tags with a listing, those with most quotes first. */
  tags(): readonly TermCount[];

  /** The initials of authors in alphabetical order, and the authors with most quotes. */
  authors(): AuthorsIndex;

  /** The listings of a kind with most quotes; all of them without `most`. Quotes without an author are left out. */
  largest(kind: ListingKind, most?: number): readonly TermCount[];

  /** Number of quotes in a listing; 0 if there is no such listing. */
  sizeOf(kind: ListingKind, slug: string): number;

  /** A page of a listing. @param page from 1 @throws {RangeError} when there is no such page */
  listing(kind: ListingKind, slug: string, page: number): ListingPage;

  /** Tags and authors that share most quotes with a listing, the largest first; empty for an unknown slug. */
  related(kind: ListingKind, slug: string): RelatedListings;

  /** Authors of an initial, by name. @param page from 1 @throws {RangeError} when there is no such page */
  initial(slug: string, page: number): InitialPage;

  /** The first page of the site. @param code of another language, for that language's own quotes */
  home(code?: string): Home;

  /** The day of the build, `YYYY-MM-DD` in UTC. */
  day(): string;

  /**
   * The quotes of a day, one for each of the largest languages. @param date default: that of the build @param most languages,
   * at most 50 @param first code of the language whose quote comes first
   */
  today(date?: string, most?: number, first?: string): Day;

  /** The days whose quotes are stored, `YYYY-MM-DD`, oldest first, for a year. */
  days(): readonly string[];

  /** The quotes of a stored day. @throws {RangeError} when the day is not stored */
  dayPage(date: string): DayPage;

  /** The quotes that the last harvests added, newest day first: at most 60 of 30 days; none after the first harvest. */
  newQuotes(): readonly NewDay[];

  /**
   * The most liked quotes that have a tag, an author and a language, as far as these are given. @throws {ConfigurationError} for a
   * limit that is no whole number from 1 to 100
   */
  findQuotes(filter: QuoteFilter): FoundQuotes;

  /** The pages of a kind in order, for `getStaticPaths()`, with the cache key that covers what each shows. */
  pagesOf(kind: PageKind): readonly PlannedPage[];
}
