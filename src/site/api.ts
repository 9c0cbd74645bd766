/** The files of the JSON API: which there are, what each holds, and what it changes with. */
import { hash } from "node:crypto";
import type { z } from "zod";
import { PLACE_FILES } from "../contract/work.ts";
import {
  hasFeed,
  listingPath,
  randomSetCount,
  type CardRow,
  type ListingKind,
} from "../plan/index.ts";
import type { API_FILES, ApiQuote, ApiTerm } from "./api-schema.ts";
import type { CardData } from "./cards.ts";
import { openSite } from "./open-site.ts";
import { absolute, attribution, siteSettings } from "./settings.ts";

type Of<K extends keyof typeof API_FILES> = z.infer<(typeof API_FILES)[K]>;

/** Authors that the list names: the most quoted. */
const AUTHORS = 1_000;

/** Quotes of a set to choose from by chance, at most. */
const SET_QUOTES = 100;

/** In the folder of the first version; another shape of the files would get another. */
export const apiPath = (file: string): string => `/api/v1/${file}.json`;

export const apiHead = () => ({ attribution: attribution(), schema: absolute(apiPath("schema")) });

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
    terms: terms[kind]().map(({ name, slug, quotes }): ApiTerm => {
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

/** The listings that have a file: those that have a feed. */
export function apiRoutes(kind: ListingKind) {
  const site = openSite();
  return site.feedListings(kind).map(({ slug }) => {
    return { params: { kind, slug }, cacheKey: site.page(listingPath(kind, slug))?.cacheKey };
  });
}

/** How many sets there are: a power of two, which seldom changes. */
export function randomFiles(): number {
  return randomSets().length;
}

/** The quotes of a set, from 0. */
export function randomSet(file: number): CardData[] {
  return (randomSets()[file] ?? []).flatMap(({ id }) => openSite().card(id) ?? []);
}

export function randomRoutes() {
  return randomSets().map((set, file) => ({
    params: { file: String(file) },
    cacheKey: hash("sha256", set.map(({ cacheKey }) => cacheKey).join()),
  }));
}

let sets: CardRow[][] | undefined;

/**
 * Small sets of quotes to choose from by chance, of the most liked.
 *
 * A quote's set follows from its pk alone, so the others stay as they are when quotes come and go.
 */
function randomSets(): readonly (readonly CardRow[])[] {
  if (sets !== undefined) return sets;
  const quotes = openSite()
    .mostLiked()
    .toSorted((a, b) => a.id - b.id);
  const length = randomSetCount(quotes.length);
  const byFile = Map.groupBy(quotes, ({ id }) => mix(id) % length);
  return (sets = Array.from({ length }, (_, file) => byFile.get(file)?.slice(0, SET_QUOTES) ?? []));
}

/** Neighbours by pk are often of one author: they go to different sets. */
function mix(id: number): number {
  return Math.imul(id % 0x1_0000_0000, 0x9e37_79b1) >>> 8;
}

let places: Map<number, (readonly [id: number, path: string])[]> | undefined;

/** On which page of its author's listing each quote is, in files by pk. */
function placeFiles() {
  const all = openSite().authorPages();
  const each = all.flatMap(({ path, quotes }) => quotes.map((id) => [id, path] as const));
  return (places ??= Map.groupBy(each, ([id]) => id % PLACE_FILES));
}

/** The files that hold anything. */
export function placeRoutes() {
  return Array.from(placeFiles().keys(), (file) => ({ params: { file: String(file) } }));
}

/** Paths by pk. */
export function placesIn(file: number): Record<string, string> {
  return Object.fromEntries(placeFiles().get(file) ?? []);
}
