/** The files of the JSON API: their routes, contents and cache keys. */
import type { z } from "zod";
import { PLACE_FILES } from "../contract/place-files.ts";
import { hasFeed, listingPath, type ListingKind } from "../plan/index.ts";
import type { API_FILES, ApiQuote } from "./api-schema.ts";
import type { CardData } from "./cards.ts";
import { openSite } from "./open-site.ts";
import { creditOf } from "./attribution.ts";
import { randomFiles } from "./random.ts";
import { absolute, siteSettings } from "./settings.ts";

type Of<K extends keyof typeof API_FILES> = z.infer<(typeof API_FILES)[K]>;

/** Most authors of the list: those with most quotes. */
const AUTHORS = 1_000;

export const apiPath = (file: string): string => `/api/v1/${file}.json`;

export const apiHead = () => ({ attribution: creditOf(), schema: absolute(apiPath("schema")) });

export function toApiQuote(card: CardData): ApiQuote {
  const { quote, language, permalink } = card;
  return {
    pk: quote.id,
    quote: quote.text,
    author: card.author.name,
    likes: card.likes,
    tags: [...card.tags.map(({ name }) => name), ...card.plainTags],
    language: quote.language,
    lang: language.tag,
    dir: language.dir,
    path: permalink,
    url: absolute(permalink),
    ...(card.corrected ? { corrected: true } : {}),
    ...(card.source === null ? {} : { source: card.source }),
  };
}

export function indexFile(): Of<"index"> {
  const { quotes, dataAsOf } = openSite().summary();
  return {
    ...apiHead(),
    title: siteSettings().site.title,
    quotes,
    dataAsOf,
    randomFiles: randomFiles(),
    placeFiles: PLACE_FILES,
    files: {
      today: apiPath("today"),
      random: apiPath("random/{n}"),
      languages: apiPath("languages"),
      tags: apiPath("tags"),
      authors: apiPath("authors"),
      listing: apiPath("{kind}/{slug}"),
      where: apiPath("where/{n}"),
      schema: apiPath("schema"),
    },
  };
}

export function todayFile(): Of<"today"> {
  const { date, cards } = openSite().today();
  return { ...apiHead(), date, quotes: cards.map(toApiQuote) };
}

export function termsFile(kind: ListingKind): Of<"terms"> {
  const site = openSite();
  const terms = {
    tag: () => site.tags(),
    language: () => site.languages(),
    author: () => site.largest("author", AUTHORS),
  };
  return {
    ...apiHead(),
    terms: terms[kind]().map(({ name, slug, quotes }) => {
      const json = hasFeed(kind, quotes) ? apiPath(`${kind}/${slug}`) : null;
      return { name, slug, quotes, path: listingPath(kind, slug), json };
    }),
  };
}

/** @throws {RangeError} when there is no such listing */
export function listingFile(kind: ListingKind, slug: string): Of<"listing"> {
  const { name, total, pages, cards } = openSite().listing(kind, slug, 1);
  return { ...apiHead(), kind, name, slug, total, pages, quotes: cards.map(toApiQuote) };
}

/** The listings with a file are those with a feed. */
export function apiRoutes(kind: ListingKind) {
  const site = openSite();
  return site.feedListings(kind).map(({ slug }) => {
    return { params: { kind, slug }, cacheKey: site.page(listingPath(kind, slug))?.cacheKey };
  });
}

let places: Map<number, (readonly [id: number, path: string])[]> | undefined;

/** The path of each quote's page in its author's listing, grouped into files by pk. Read once: there are many files. */
const placeFiles = () => (places ??= Map.groupBy(readPlaces(), ([id]) => id % PLACE_FILES));

function readPlaces(): (readonly [id: number, path: string])[] {
  const all = openSite().authorPages();
  const each = all.flatMap(({ path, quotes }) => quotes.map((id) => [id, path] as const));
  const shown = [...each];
  const pathOf = new Map(shown);
  const copies = openSite()
    .copyPairs()
    .map(([id, original]) => [id, pathOf.get(original) ?? ""] as const);
  return [...shown, ...copies];
}

/** Empty files are left out. */
export function placeRoutes() {
  return Array.from(placeFiles().keys(), (file) => ({ params: { file: String(file) } }));
}

/** @returns paths by pk */
export function placesIn(file: number): Record<string, string> {
  return Object.fromEntries(placeFiles().get(file) ?? []);
}
