/** What the files of the JSON API hold. */
import type { z } from "zod";
import { voiceOf } from "../../i18n/voice.ts";
import { PLACE_FILES } from "../../contract/place-files.ts";
import { absolute, listingPath } from "../address.ts";
import { FEED_QUOTES } from "../feeds/picks.ts";
import { openSite } from "../open-site.ts";
import { siteSettings } from "../settings.ts";
import type { CardData, ListingKind } from "../types.ts";
import { randomFiles } from "./random.ts";
import type { API_FILES, ApiQuote, ApiTerm } from "./schema.ts";

/** Folder of the first version; another shape of the files would get another. */
export const API = "/api/v1/";

type Of<K extends keyof typeof API_FILES> = z.infer<(typeof API_FILES)[K]>;

/** A feed and a file of the API are had by the same tags and authors. */
const LISTED_QUOTES = FEED_QUOTES;

/** Authors that the list names: the most quoted. */
const AUTHORS = 1_000;

export const apiPath = (file: string): string => `${API}${file}.json`;

export function apiResponse(body: object): Response {
  return Response.json(body);
}

export function apiHead(): { attribution: Of<"today">["attribution"]; schema: string } {
  const { site, service } = siteSettings();
  const { name, url } = site.attribution;
  const text = voiceOf(site.language, "en").fill("attribution", { name });
  return {
    attribution: service.plan === "free" ? { text, url } : null,
    schema: absolute(apiPath("schema")),
  };
}

export function toApiQuote({
  quote,
  author,
  likes,
  tags,
  plainTags,
  language,
  permalink,
}: CardData): ApiQuote {
  return {
    pk: quote.id,
    quote: quote.text,
    author: author.name,
    likes,
    tags: [...tags.map(({ name }) => name), ...plainTags],
    language: quote.language,
    lang: language.tag,
    dir: language.dir,
    path: permalink,
    url: absolute(permalink),
  };
}

export function indexFile(): Of<"index"> {
  const { quotes, dataAsOf } = openSite().summary();
  const files = {
    today: apiPath("today"),
    random: apiPath("random/{n}"),
    languages: apiPath("languages"),
    tags: apiPath("tags"),
    authors: apiPath("authors"),
    listing: apiPath("{kind}/{slug}"),
    where: apiPath("where/{n}"),
    schema: apiPath("schema"),
  };
  return {
    ...apiHead(),
    title: siteSettings().site.title,
    quotes,
    dataAsOf,
    randomFiles: randomFiles(openSite()),
    placeFiles: PLACE_FILES,
    files,
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
    author: () => site.mostQuoted(AUTHORS),
  };
  return {
    ...apiHead(),
    terms: terms[kind]().map(({ name, slug, quotes }): ApiTerm => {
      const has = kind === "language" || quotes >= LISTED_QUOTES;
      const json = has ? apiPath(`${kind}/${slug}`) : null;
      return { name, slug, quotes, path: listingPath(kind, slug), json };
    }),
  };
}

/** @throws {RangeError} when there is no such listing */
export function listingFile(kind: ListingKind, slug: string): Of<"listing"> {
  const { name, total, pages, cards } = openSite().listing(kind, slug, 1);
  return { ...apiHead(), kind, name, slug, total, pages, quotes: cards.map(toApiQuote) };
}
