/**
 * `astro-commonplace/site`: the data, addresses and words of a site, for its own pages and components. Nothing else of this folder is
 * promised (docs/stability.md).
 */
import type { SiteConfig } from "../settings/site-config.ts";
import { openSite as openReader } from "./open-site.ts";
import { siteSettings as readSettings } from "./settings.ts";
import type { SiteReader } from "./site-reader.ts";

/** The reader of this process, which opens the published snapshot at the first call. @throws when nothing was harvested */
export const openSite = (): SiteReader => openReader();

/** The settings of the site: `site/config.ts` with the options and variables of the command, and all defaults. */
export const siteSettings = (): { readonly site: SiteConfig } => readSettings();

export { listingLocale } from "./open-site.ts";
export { menuOf } from "./menu.ts";
export { localPath } from "./local-paths.ts";
export { absolute, href, pageLocale, siteLocale } from "./settings.ts";
export { dayPath, FIXED_PATHS, listingPath, quotePath } from "../plan/index.ts";

export type { AuthorFacts } from "../contract/author-facts.ts";
export type { Language } from "../contract/languages.ts";
export type { Picture } from "../contract/picture.ts";
export type { Locale } from "../i18n/locale.ts";
export type { ListingKind, PageKind, PlannedPage } from "../plan/index.ts";
export type { CardData, MoreQuotes, QuoteLink, TermLink } from "./cards.ts";
export type { Day, DayPage } from "./days.ts";
export type { Summary } from "./facts.ts";
export type { FoundQuotes, QuoteFilter } from "./find-quotes.ts";
export type { Home } from "./home.ts";
export type {
  AuthorsIndex,
  Initial,
  InitialPage,
  LanguageCount,
  ListingPage,
  RelatedListings,
  TermCount,
} from "./listings.ts";
export type { MenuEntry } from "./menu.ts";
export type { NewDay } from "./new-quotes.ts";
export type { SiteReader } from "./site-reader.ts";
