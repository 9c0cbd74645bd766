/** The feeds of the site: of all languages, and of one listing. */
import { isKnownLanguage, languageOf } from "../../contract/languages.ts";
import { voiceOf } from "../../i18n/voice.ts";
import { FIXED_PATHS, listingPath } from "../address.ts";
import { openSite } from "../open-site.ts";
import { siteSettings } from "../settings.ts";
import type { ListingKind } from "../types.ts";
import type { Feed } from "./formats.ts";
import { feedPath, picksOf, todayPicks } from "./picks.ts";

export type FeedFile = "feed.xml" | "feed.json";

export function siteFeed(file: FeedFile): Feed {
  const { title, description } = siteSettings().site;
  const path = `/${file}`;
  return {
    title,
    description,
    language: null,
    page: FIXED_PATHS.today,
    path,
    picks: todayPicks(),
  };
}

/** @throws {RangeError} when there is no such listing */
export function listingFeed(kind: ListingKind, slug: string, file: FeedFile): Feed {
  const { title, language } = siteSettings().site;
  const listing = openSite().listing(kind, slug, 1);
  const voice = voiceOf(kind === "language" ? slug : language, language);
  const name = listing.language?.name ?? listing.name ?? voice.messages.unattributed;
  return {
    title: `${name} · ${title}`,
    description: `${voice.messages[kind]}: ${name}.`,
    language: kind === "language" && isKnownLanguage(slug) ? languageOf(slug).tag : null,
    page: listingPath(kind, slug),
    path: feedPath(kind, slug, file),
    picks: picksOf(kind, slug),
  };
}
