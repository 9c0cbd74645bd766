/**
 * Opens what pages read: the published snapshot, and the plan made of it.
 *
 * A process that renders has one reader, opened at the first page that asks.
 */
import { join } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { languageOf } from "../contract/languages.ts";
import { openPictures, type PictureLookup } from "../images/lookup.ts";
import { openPlan, type Hidden } from "../plan/index.ts";
import type { Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/index.ts";
import { cardReads } from "./cards.ts";
import { dayOf } from "./day.ts";
import { dayReads } from "./days.ts";
import { embedReads } from "./embeds.ts";
import { factReads } from "./facts.ts";
import { homeReads } from "./home.ts";
import { indexReads } from "./indexes.ts";
import { listingReads } from "./listings.ts";
import { newReads } from "./new-quotes.ts";
import { pageReads } from "./pages.ts";
import { siteSettings } from "./settings.ts";
import type { Sources } from "./sources.ts";

export interface SiteOptions {
  readonly stateDir: string;
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page of their own; 20,000 by default. */
  readonly quotePages?: number;
  /** Quotes with a page to embed; 0 by default. */
  readonly embeds?: number;
  /** Quotes that a tag must have to get a listing; 1 by default. */
  readonly minTagQuotes?: number;
  /** Code of the language of pages that belong to none. */
  readonly language: string;
  /** The day of the quotes of the day, `YYYY-MM-DD`. */
  readonly date: string;
  /** What no page shows; default nothing. */
  readonly hidden?: Hidden;
  /** Default: no quote has a picture. The site closes it. */
  readonly pictures?: PictureLookup;
}

/**
 * Everything a page may ask for. Each answer costs a few rows by a key in collections of all sizes; only what
 * lists all pages or all cards goes through a table.
 */
export type SiteReader = ReturnType<typeof readSite>;

/** @throws {UsageError} when nothing was ever published in the state folder */
export function openSiteWith(options: SiteOptions): SiteReader {
  const { stateDir, perPage, language, date, pictures, embeds = 0 } = options;
  const snapshot = openPublished(stateDir);
  if (snapshot === null) {
    throw new UsageError(`Cannot render ${stateDir}: no snapshot is there; npm run harvest first`);
  }
  const planned = {
    perPage,
    quotePages: options.quotePages ?? 20_000,
    minTagQuotes: options.minTagQuotes ?? 1,
    hidden: options.hidden ?? { pks: [], authors: [], tags: [] },
    script: languageOf(language).script,
    pictureOf: (image: string) => {
      const picture = pictures?.picture(image) ?? null;
      return picture === null ? null : JSON.stringify(picture);
    },
  };
  const plan = openPlan(stateDir, snapshot, planned, pictures?.key ?? "");
  return readSite({ snapshot, plan, pictures, stateDir, perPage, embeds, language, date });
}

function readSite(sources: Sources) {
  const cards = cardReads(sources);
  const indexes = indexReads(sources);
  const listings = listingReads(sources, cards);
  const facts = factReads(sources, indexes);
  const days = dayReads(sources, { ...cards, ...indexes, ...listings });
  const home = homeReads(sources, { ...cards, ...indexes, ...facts, ...days });
  const news = newReads(sources, cards);
  const embeds = embedReads(sources, { ...cards, ...days });
  const pages = pageReads(sources, {
    ...embeds,
    ...indexes,
    ...facts,
    ...days,
    ...home,
    ...news,
  });
  const close = (): void => {
    sources.plan.close();
    sources.pictures?.close();
    sources.snapshot.close();
  };
  return {
    ...cards,
    ...indexes,
    ...listings,
    ...facts,
    ...days,
    ...home,
    ...news,
    ...embeds,
    ...pages,
    close,
    [Symbol.dispose]: close,
  };
}

/** The reader that these settings ask for; the caller closes it. */
export function openSiteAs({ stateDir, site, date, now }: Settings): SiteReader {
  const { perPage, quotePages, embeds, minTagQuotes, hidden, language } = site;
  const pictures = openPictures({
    cacheDir: join(stateDir, "thumbnails"),
    policy: site.pictures,
    prefix: `${site.base}_pictures/`,
  });
  return openSiteWith({
    stateDir,
    perPage,
    quotePages,
    embeds,
    minTagQuotes,
    hidden,
    language,
    date: date ?? dayOf(new Date(now())),
    pictures,
  });
}

let reader: SiteReader | undefined;

/** The reader of this process, by its settings; the day is the one on which it first asks. */
export function openSite(): SiteReader {
  return (reader ??= openSiteAs(siteSettings()));
}
