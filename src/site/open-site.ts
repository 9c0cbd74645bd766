/**
 * Opens what pages read: the published snapshot, and the catalogue made of it.
 *
 * A process that renders has one reader, opened at the first page that asks.
 */
import { join } from "node:path";
import { CardMaker } from "./read/cards.ts";
import { dayOf } from "./read/day.ts";
import { prepareCatalogue } from "./read/prepare.ts";
import type { SiteReader } from "./reader.ts";
import { siteSettings } from "./settings.ts";
import { openPictures, type PictureLookup } from "../images/lookup.ts";
import type { Settings } from "../settings/settings.ts";
import { SnapshotSite } from "./read/snapshot-site.ts";
import { languageOf } from "../contract/languages.ts";
import { UsageError } from "../contract/errors.ts";
import { openPublished } from "../snapshot/published/read.ts";

export interface SiteOptions {
  readonly stateDir: string;
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page of their own; 20,000 by default. */
  readonly quotePages?: number;
  /** Quotes that a tag must have to get a listing; 1 by default. */
  readonly minTagQuotes?: number;
  /** Code of the language of pages that belong to none. */
  readonly language: string;
  /** The day of the quotes of the day, `YYYY-MM-DD`. */
  readonly date: string;
  /** What no page shows; default nothing. */
  readonly hidden?: Settings["site"]["hidden"];
  /** Default: no quote has a picture. The site closes it. */
  readonly pictures?: PictureLookup;
}

/** @throws {UsageError} when nothing was ever published in the state folder */
export function openSiteWith(options: SiteOptions): SiteReader {
  const { stateDir, perPage, language, date } = options;
  const { pictures } = options;
  const snapshot = openPublished(stateDir);
  if (snapshot === null) {
    throw new UsageError(`Cannot render ${stateDir}: no snapshot is there; npm run harvest first`);
  }
  const catalogue = prepareCatalogue(snapshot, {
    stateDir,
    perPage,
    script: languageOf(language).script,
    quotePages: options.quotePages ?? 20_000,
    minTagQuotes: options.minTagQuotes,
    hidden: options.hidden,
    pictureOf: (image) => {
      const picture = pictures?.picture(image) ?? null;
      return picture === null ? null : JSON.stringify(picture);
    },
    picturesKey: pictures?.key,
  });
  const cards = new CardMaker(catalogue, (image) => pictures?.picture(image) ?? null, {
    thinTags: (options.minTagQuotes ?? 1) > 1,
  });
  return new SnapshotSite({
    snapshot,
    catalogue,
    pictures,
    stateDir,
    cards,
    perPage,
    language,
    date,
  });
}

/** The reader that these settings ask for; whoever opens it closes it. */
export function openSiteAs({ stateDir, site, date, now }: Settings): SiteReader {
  const { perPage, quotePages, minTagQuotes, hidden, language } = site;
  const pictures = openPictures({
    cacheDir: join(stateDir, "thumbnails"),
    policy: site.pictures,
    prefix: `${site.base}_pictures/`,
  });
  return openSiteWith({
    stateDir,
    perPage,
    quotePages,
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
