/**
 * The contents of feeds: the site's quotes of the day, new quotes, a quote a day of each language, a quote a week of each
 * large tag and author.
 *
 * The choice depends only on the day and the size of the listing.
 */
import { factsLine } from "../contract/author-facts.ts";
import { type ListingKind, FIXED_PATHS, listingPath } from "../plan/index.ts";
import { placeOfDay } from "./days.ts";
import type { Feed, Pick } from "./feed-formats.ts";
import { listingLocale, openSite } from "./open-site.ts";
import { siteDescription, siteLocale, siteSettings } from "./settings.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

/** Items of a listing's feed: a reader that checks once a week misses none. */
const ITEMS = 7;

/** Items of the feed of days. */
const DAYS = 30;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Cache keys of the listings' feeds, equal in all formats. */
const keys = new Map<string, string>();

/** Makes the exports of a route of feeds. */
export function feedRoute(kind: ListingKind, formatOf: (feed: Feed) => Response) {
  return {
    /** The key is a getter, since the threads do not need it. */
    getStaticPaths: () =>
      openSite()
        .feedListings(kind)
        .map(({ slug, name }) => ({
          params: { slug },
          get cacheKey() {
            return getOrCompute(keys, `${kind}/${slug}`, () => {
              const picks = picksOf(kind, slug).map(({ date, card }) => date + card.cacheKey);
              return [name, aboutOf(kind, name), ...picks].join();
            });
          },
        })),
    GET: ({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) =>
      formatOf(listingFeed(kind, params["slug"] ?? "")),
  };
}

/** What the site says of an author, on one line. */
const aboutOf = (kind: ListingKind, name: string | null): string =>
  (kind === "author" ? factsLine(openSite().factsOf(name)) : null) ?? "";

/** The latest quotes of a listing, newest first. */
function picksOf(kind: ListingKind, slug: string): Pick[] {
  const site = openSite();
  const total = site.sizeOf(kind, slug);
  const days = kind === "language" ? 1 : WEEK_DAYS;
  const today = Math.floor(Date.parse(site.day()) / DAY_MS);
  // Weeks begin on Mondays, such as day 4 of the epoch.
  const latest = kind === "language" ? today : today - ((today - 4) % WEEK_DAYS);
  return Array.from({ length: Math.min(ITEMS, total) }, (_, back): Pick[] => {
    const day = latest - back * days;
    // The choice advances once for each item, also if items are a week apart.
    const place = placeOfDay(dateOf(Math.floor(day / days)), total);
    const card = site.card(site.quoteIn(kind, slug, place) ?? 0);
    return card === undefined ? [] : [{ date: dateOf(day), card }];
  }).flat();
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export function siteFeed(): Feed {
  const { title } = siteSettings().site;
  const description = siteDescription().text;
  const { date, cards } = openSite().today();
  const picks = cards.map((card) => ({ date, card }));
  const language = siteLocale().language.tag;
  return { title, description, language, page: FIXED_PATHS.today, folder: "/", picks };
}

/** The first quote of each of the latest days. */
export function dayFeed(): Feed {
  const { title } = siteSettings().site;
  const { messages, language } = siteLocale();
  const { quoteOfTheDay } = messages;
  return {
    title: `${quoteOfTheDay} · ${title}`,
    description: `${quoteOfTheDay}.`,
    language: language.tag,
    page: FIXED_PATHS.calendar,
    folder: FIXED_PATHS.today,
    picks: picksOfDays(openSite().days().slice(-DAYS).reverse()),
  };
}

/** The first quote of each day, in the site's language if it has any. */
export function picksOfDays(days: readonly string[]): Pick[] {
  return days.flatMap((date) => {
    const [card] = openSite().dayPage(date).cards;
    return card === undefined ? [] : [{ date, card }];
  });
}

export function newFeed(): Feed {
  const { title } = siteSettings().site;
  const { follow, language } = siteLocale();
  const { newQuotes, newIntro } = follow;
  const days = openSite().newQuotes();
  return {
    title: `${newQuotes} · ${title}`,
    description: newIntro,
    language: language.tag,
    page: FIXED_PATHS.new,
    folder: FIXED_PATHS.new,
    picks: days.flatMap(({ date, cards }) => cards.map((card) => ({ date, card }))),
  };
}

/** @throws {RangeError} when there is no such listing */
export function listingFeed(kind: ListingKind, slug: string): Feed {
  const { title } = siteSettings().site;
  const listing = openSite().listing(kind, slug, 1);
  const locale = listingLocale(listing);
  const name = listing.language?.name ?? listing.name ?? locale.messages.unattributed;
  const heading = `${locale.messages[kind]}: ${name}`;
  return {
    title: `${heading} · ${title}`,
    description: [`${heading}.`, aboutOf(kind, listing.name)].join(" ").trimEnd(),
    language: (listing.language ?? locale.language).tag,
    page: listingPath(kind, slug),
    folder: listingPath(kind, slug),
    picks: picksOf(kind, slug),
  };
}
