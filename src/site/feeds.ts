/**
 * The feeds: of the whole site the quotes of the day, and what is new; of a language a quote a day, of a tag or an author
 * a quote a week.
 *
 * The choice depends on the day and the size of the listing alone, so a feed changes when its day or its quotes do.
 */
import { isKnownLanguage, languageOf } from "../contract/languages.ts";
import { type ListingKind, FIXED_PATHS, listingPath } from "../plan/index.ts";
import { placeOfDay } from "./days.ts";
import type { Feed, Pick } from "./feed-formats.ts";
import { openSite } from "./open-site.ts";
import { siteLocale, siteSettings } from "./settings.ts";

/** Items of a feed: readers that look in once a week miss none. */
const ITEMS = 7;

/** Items of the feed of days. */
const DAYS = 30;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Cache keys of the feeds of a listing, which are the same in each format. */
const keys = new Map<string, string>();

/** What the route of the feeds of a kind in one format exports. */
export function feedRoute(kind: ListingKind, formatOf: (feed: Feed) => Response) {
  return {
    /** Each with what it changes with, which the threads do not ask for. */
    getStaticPaths: () =>
      openSite()
        .feedListings(kind)
        .map(({ slug, name }) => ({
          params: { slug },
          get cacheKey() {
            return keys.getOrInsertComputed(`${kind}/${slug}`, () => {
              const picks = picksOf(kind, slug).map(({ date, card }) => date + card.cacheKey);
              return [name, ...picks].join();
            });
          },
        })),
    GET: ({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) =>
      formatOf(listingFeed(kind, params["slug"] ?? "")),
  };
}

/** The latest quotes of a listing, newest first. */
function picksOf(kind: ListingKind, slug: string): Pick[] {
  const site = openSite();
  const total = site.sizeOf(kind, slug);
  const days = kind === "language" ? 1 : WEEK_DAYS;
  const today = Math.floor(Date.parse(site.day()) / DAY_MS);
  // Weeks begin on Mondays: day 4 of the epoch was one.
  const latest = kind === "language" ? today : today - ((today - 4) % WEEK_DAYS);
  return Array.from({ length: Math.min(ITEMS, total) }, (_, back): Pick[] => {
    const day = latest - back * days;
    // The choice steps once for each item, also where items are a week apart.
    const place = placeOfDay(dateOf(Math.floor(day / days)), total);
    const card = site.card(site.quoteIn(kind, slug, place) ?? 0);
    return card === undefined ? [] : [{ date: dateOf(day), card }];
  }).flat();
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export function siteFeed(): Feed {
  const { title, description } = siteSettings().site;
  const { date, cards } = openSite().today();
  const picks = cards.map((card) => ({ date, card }));
  return { title, description, language: null, page: FIXED_PATHS.today, folder: "/", picks };
}

/** A quote a day, in the site's own language where it has any: the latest days that have a page. */
export function dayFeed(): Feed {
  const { title } = siteSettings().site;
  const { quoteOfTheDay } = siteLocale().messages;
  return {
    title: `${quoteOfTheDay} · ${title}`,
    description: `${quoteOfTheDay}.`,
    language: null,
    page: FIXED_PATHS.calendar,
    folder: FIXED_PATHS.today,
    picks: picksOfDays(openSite().days().slice(-DAYS).reverse()),
  };
}

/** The first quote of each day that has one. */
export function picksOfDays(days: readonly string[]): Pick[] {
  return days.flatMap((date) => {
    const [card] = openSite().dayPage(date).cards;
    return card === undefined ? [] : [{ date, card }];
  });
}

/** The quotes of the page of what is new. */
export function newFeed(): Feed {
  const { title } = siteSettings().site;
  const { newQuotes, newIntro } = siteLocale().follow;
  const days = openSite().newQuotes();
  return {
    title: `${newQuotes} · ${title}`,
    description: newIntro,
    language: null,
    page: FIXED_PATHS.new,
    folder: FIXED_PATHS.new,
    picks: days.flatMap(({ date, cards }) => cards.map((card) => ({ date, card }))),
  };
}

/** @throws {RangeError} when there is no such listing */
export function listingFeed(kind: ListingKind, slug: string): Feed {
  const { title } = siteSettings().site;
  const listing = openSite().listing(kind, slug, 1);
  const locale = siteLocale(kind === "language" ? slug : undefined);
  const name = listing.language?.name ?? listing.name ?? locale.messages.unattributed;
  return {
    title: `${name} · ${title}`,
    description: `${locale.messages[kind]}: ${name}.`,
    language: kind === "language" && isKnownLanguage(slug) ? languageOf(slug).tag : null,
    page: listingPath(kind, slug),
    folder: listingPath(kind, slug),
    picks: picksOf(kind, slug),
  };
}
