/** The data of pages: reads rows of the plan and of the snapshot, returns typed props. */
export * from "./api.ts";
export { randomFiles, randomRoutes, randomSet, readerSets } from "./random.ts";
export { API_FILES, apiJsonSchema } from "./api-schema.ts";
export type { CardData, MoreQuotes, QuoteLink } from "./cards.ts";
export { dayOf, MOST_DAYS, placeOfDay, readDays } from "./days.ts";
export { calendarOf } from "./calendar-file.ts";
export { escapeHtml } from "../util/text.ts";
export { embedCanonical, oEmbedOf } from "./embeds.ts";
export { durationOf, type HistoryEntry } from "../report/run-report.ts";
export type { BuildPage, Summary } from "./facts.ts";
export { atomOf, FEED_FILES, jsonFeedOf, rssOf, type Feed, type Pick } from "./feed-formats.ts";
export { feedRoute, dayFeed, listingFeed, newFeed, picksOfDays, siteFeed } from "./feeds.ts";
export { breadcrumbs, listingThings, quotation, safeJson, website, type Thing } from "./jsonld.ts";
export { lastChanged, storePages } from "./last-changed.ts";
export { ogImage, ogRequests } from "./og-images.ts";
export type { LanguageCount, ListingPage, TermCount } from "./listings.ts";
export { alternatesOf, isUnlisted, localPath, translationsOf } from "./local-paths.ts";
export type { QuoteFilter } from "./find-quotes.ts";
export type { GeneralPage } from "./general.ts";
export { menuOf, type MenuEntry } from "./menu.ts";
export { listingLocale, openSite, openSiteAs, openSiteWith, type PageReader } from "./open-site.ts";
export {
  absolute,
  href,
  pageLocale,
  pathOf,
  siteDescription,
  siteLocale,
  siteSettings,
  votePath,
} from "./settings.ts";
export {
  attribution,
  attributionIn,
  attributionOf,
  creditOf,
  publishedSource,
} from "./attribution.ts";
export { siteData } from "../settings/site-data.ts";
export { shareLinks } from "./share.ts";
export type { SiteOptions } from "./sources.ts";
export { staleSince } from "./stale.ts";
export {
  ADDRESSES_PER_FILE,
  dayPath,
  embedPath,
  FIXED_PATHS,
  hasFeed,
  initialPath,
  listingPath,
  quotePath,
  termPath,
  type InitialGroup as InitialLink,
  type ListingKind,
  type PlannedPage,
} from "../plan/index.ts";
