/** Opens the reader of pages: the published snapshot and its plan. A rendering thread opens one, at its first page. */
import { hash } from "node:crypto";
import { join } from "node:path";
import { NO_CORRECTIONS } from "../contract/corrections.ts";
import { languageOf } from "../contract/languages.ts";
import type { Locale } from "../i18n/locale.ts";
import { openPictures } from "../images/lookup.ts";
import { corrector, FIXED_PATHS, openPlan, type PlannedPage } from "../plan/index.ts";
import { siteData } from "../settings/site-data.ts";
import type { Settings } from "../settings/settings.ts";
import { requirePublished } from "../snapshot/index.ts";
import { cardReads } from "./cards.ts";
import { dayOf, dayReads } from "./days.ts";
import { embedReads, TODAY } from "./embeds.ts";
import { factReads } from "./facts.ts";
import { findReads } from "./find-quotes.ts";
import { generalReads } from "./general.ts";
import { homeReads } from "./home.ts";
import { listingReads, type ListingPage } from "./listings.ts";
import { newReads } from "./new-quotes.ts";
import { siteLocale, siteSettings } from "./settings.ts";
import type { SiteOptions, Sources } from "./sources.ts";

/**
 * The data of the project's own pages and of the stages after them: what is promised (site-reader.ts), and more. Only lists of all
 * pages or cards scan a table.
 */
export type PageReader = ReturnType<typeof readSite>;

/** @throws {NothingHarvested} when the state folder has no snapshot */
export function openSiteWith(options: SiteOptions): PageReader {
  const { stateDir, perPage, quotePages = 20_000, minTagQuotes = 1, language, pictures } = options;
  const { hidden = { pks: [], authors: [], tags: [] }, corrections = NO_CORRECTIONS } = options;
  const { authors = new Map(), copies = "show", related = true } = options;
  const snapshot = requirePublished(stateDir);
  const { script } = languageOf(language);
  const plan = openPlan(
    stateDir,
    snapshot,
    { perPage, quotePages, minTagQuotes, hidden, corrections, copies, authors, script, related },
    pictures,
  );
  const { correct } = corrector(corrections);
  return readSite({ ...options, snapshot, plan, correct });
}

function readSite(sources: Sources) {
  const { plan, snapshot, pictures } = sources;
  const cards = cardReads(sources);
  const listings = listingReads(sources, cards);
  const days = dayReads(sources, { ...cards, ...listings });
  const some = { ...cards, ...listings, ...factReads(sources), ...days };
  const home = homeReads(sources, some);
  const general = generalReads(sources, listings);
  const reads = {
    ...some,
    ...home,
    ...general,
    ...newReads(sources, cards),
    ...findReads(sources, cards),
    ...embedReads(sources, some),
  };
  /** The data of fixed pages; others show nothing of the collection. */
  const shown: { readonly [Kind in FixedKind]?: (code?: string) => unknown } = {
    home: (code) => reads.home(code),
    today: (code) => reads.today(undefined, undefined, code),
    tomorrow: reads.tomorrow,
    calendar: reads.days,
    new: reads.newQuotes,
    feeds: reads.feedIndex,
    languages: reads.languages,
    tags: reads.tags,
    authors: reads.authors,
    favourites: (code) => reads.today(undefined, 3, code),
    about: reads.summary,
    build: reads.lastBuild,
    search: () => [reads.languages(), reads.tags().length, reads.curatedIds() !== null],
  };
  const close = (): void => {
    plan.close();
    pictures?.close();
    snapshot.close();
  };
  return {
    ...reads,
    close,
    [Symbol.dispose]: close,

    /** All pages, always in the same order: fixed pages, days, pages to embed, listings, initials, quotes. */
    *pages(): Generator<PlannedPage, void, undefined> {
      for (const [kind, path] of Object.entries(FIXED_PATHS) as [FixedKind, string][]) {
        const cacheKey = hash("sha256", JSON.stringify(shown[kind]?.() ?? null)).slice(0, 32);
        yield { kind, path, term: "", number: 1, cacheKey };
      }
      for (const { kind, code, path } of reads.generalPages()) {
        const shownOf = JSON.stringify(shown[kind]?.(code) ?? null);
        const cacheKey = hash("sha256", shownOf).slice(0, 32);
        yield { kind, path, term: "", number: 1, cacheKey };
      }
      yield* reads.dayPages();
      yield* reads.embedPages();
      yield* plan.pages();
    },

    /** Names the data of the plan: equal for builds with the same quotes and settings. */
    origin: (): string | null => plan.origin("content"),

    /** The page of the plan at a path. */
    page: (path: string): PlannedPage | undefined => plan.page(path),

    /**
     * The quotes on a page, in order; undefined if the plan does not know them (indexes, today, 404). A page of one quote has no
     * languages here: to read them takes a tenth of the audit of a site that did not change.
     */
    quotesOn({ kind, term, number }: PlannedPage) {
      if (kind === "tag" || kind === "author" || kind === "language")
        return plan.quotesOn(kind, term, number);
      // Today's quote depends on the day of the build, which a later reader does not know.
      if (kind === "quote" || (kind === "embed" && term !== TODAY))
        return { ids: [Number(term)], languages: [] };
      if (kind !== "day") return undefined;
      const { cards } = reads.dayPage(term);
      return {
        ids: cards.map(({ id }) => id),
        languages: cards.map(({ quote }) => quote.language),
      };
    },
  };
}

type FixedKind = keyof typeof FIXED_PATHS;

/** Opens a reader, which the caller closes. */
export function openSiteAs({ stateDir, site, date, now }: Settings): PageReader {
  const pictures = openPictures({
    cacheDir: join(stateDir, "thumbnails"),
    policy: site.pictures,
    prefix: `${site.base}_pictures/`,
  });
  const { corrections, authors } = siteData();
  const day = date ?? dayOf(new Date(now()));
  return openSiteWith({ ...site, corrections, authors, stateDir, date: day, pictures });
}

let reader: PageReader | undefined;

/** The reader of this process. Its day is that of the first call. */
export function openSite(): PageReader {
  return (reader ??= openSiteAs(siteSettings()));
}

/** The locale of a page of a listing, as `pageLocale()` gives it for the quotes of the page. */
export function listingLocale({
  kind,
  slug,
  page,
}: Pick<ListingPage, "kind" | "slug" | "page">): Locale {
  return siteLocale(openSite().languageOn(kind, slug, page) ?? "");
}
