/**
 * What a feed holds: for a language a quote a day, for a tag or an author a quote a week.
 *
 * The choice depends on the day and the size of the listing alone, so a feed changes when its day or its quotes do.
 */
import { FEED_QUOTES } from "../../plan/extras.ts";
import { listingPath } from "../address.ts";
import { openSite } from "../open-site.ts";
import { placeOfDay } from "../read/day.ts";
import { siteSettings } from "../settings.ts";
import type { CardData, ListingKind } from "../types.ts";

/** A quote of a feed and the day it came. */
export interface Pick {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly card: CardData;
}

export interface FeedRoute {
  readonly params: { readonly slug: string };
  readonly cacheKey: string;
}

export { FEED_QUOTES };

/** Items of a feed: readers that look in once a week miss none. */
const ITEMS = 7;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** The feeds of a kind, each with what it changes with. */
export function feedRoutes(kind: ListingKind): FeedRoute[] {
  const first = openSite()
    .listingPaths(kind)
    .filter(({ page }) => page === 1);
  const large = first.filter(({ slug }) => hasFeed(kind, slug));
  return large.map(({ slug }) => ({
    params: { slug },
    cacheKey: picksOf(kind, slug)
      .map(({ date, card }) => `${date}${Buffer.from(card.digest, "latin1").toString("hex")}`)
      .join(),
  }));
}

/** Whether there is a feed of this listing: one of every language, and of the larger tags and authors. */
export function hasFeed(kind: ListingKind, slug: string): boolean {
  if (kind === "language") return true;
  return largeTerms(kind).has(slug);
}

const large = new Map<ListingKind, Set<string>>();

/** Terms come largest first, so the small ones are never looked at. */
function largeTerms(kind: ListingKind): Set<string> {
  let slugs = large.get(kind);
  if (slugs !== undefined) return slugs;
  slugs = new Set();
  for (const { slug, page } of openSite().listingPaths(kind)) {
    if (page !== 1) continue;
    if (openSite().listing(kind, slug, 1).total < FEED_QUOTES) break;
    slugs.add(slug);
  }
  large.set(kind, slugs);
  return slugs;
}

/** The latest quotes of a listing, newest first. */
export function picksOf(kind: ListingKind, slug: string): Pick[] {
  const { perPage } = siteSettings().site;
  const { total } = openSite().listing(kind, slug, 1);
  const days = kind === "language" ? 1 : WEEK_DAYS;
  const today = Math.floor(Date.parse(openSite().day()) / DAY_MS);
  // Weeks begin on Mondays: day 4 of the epoch was one.
  const latest = kind === "language" ? today : today - ((today - 4) % WEEK_DAYS);
  return Array.from({ length: Math.min(ITEMS, total) }, (_, back) => {
    const date = new Date((latest - back * days) * DAY_MS).toISOString().slice(0, 10);
    const place = placeOfDay(weekOrDay(date, days), total);
    const page = Math.floor(place / perPage) + 1;
    const card = openSite().listing(kind, slug, page).cards[place % perPage];
    return card === undefined ? [] : [{ date, card }];
  }).flat();
}

/** The choice steps once for each item, whatever lies between them. */
function weekOrDay(date: string, days: number): string {
  if (days === 1) return date;
  const count = Math.floor(Date.parse(date) / DAY_MS / days);
  return new Date(count * DAY_MS).toISOString().slice(0, 10);
}

/** The quotes of the day of the whole site, one for each language. */
export function todayPicks(): Pick[] {
  const { date, cards } = openSite().today();
  return cards.map((card) => ({ date, card }));
}

export function feedPath(kind: ListingKind, slug: string, file: "feed.xml" | "feed.json"): string {
  return `${listingPath(kind, slug)}${file}`;
}
