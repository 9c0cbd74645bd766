/**
 * The general pages in other languages than the site's: `/ar/`, `/ar/today/`. A set exists for each language of the collection
 * that has messages.
 */
import { hasTranslation } from "../i18n/locale.ts";
import { FIXED_PATHS, GENERAL_KINDS, generalPath, TOP_NAMES } from "../plan/index.ts";
import { siteData } from "../settings/site-data.ts";
import type { LanguageCount, ListingReads } from "./listings.ts";
import type { Sources } from "./sources.ts";

export interface GeneralPage {
  readonly kind: (typeof GENERAL_KINDS)[number];
  /** Code of the language. */
  readonly code: string;
  readonly path: string;
}

export function generalReads(
  { language }: Pick<Sources, "language">,
  { languages }: Pick<ListingReads, "languages">,
) {
  let codes: readonly LanguageCount[] | undefined;
  let pages: ReadonlyMap<string, GeneralPage> | undefined;
  const all = (): ReadonlyMap<string, GeneralPage> => {
    if (pages !== undefined) return pages;
    const ofFork = new Set(siteData().pages.map(({ path }) => path));
    const made = generalLanguages().flatMap(({ slug: code }) =>
      GENERAL_KINDS.map((kind) => ({ kind, code, path: generalPath(code, kind) })),
    );
    // A page of a fork has its address alone, and one that replaces a general page is in the site's language.
    const free = made.filter(
      ({ kind, path }) => !ofFork.has(path) && !ofFork.has(FIXED_PATHS[kind]),
    );
    return (pages = new Map(free.map((page) => [page.path, page])));
  };
  return {
    generalLanguages,

    /** All of them, by language. */
    generalPages: (): GeneralPage[] => [...all().values()],

    /** The general page at a path; undefined for pages of the site's language, and all others. */
    generalPage: (path: string): GeneralPage | undefined => all().get(path),
  };

  /** The languages with general pages below their code, largest first. */
  function generalLanguages(): readonly LanguageCount[] {
    return (codes ??= languages().filter(
      ({ slug }) => slug !== language && hasTranslation(slug) && !TOP_NAMES.has(slug),
    ));
  }
}

/** The kind of the general page at a path of the site's language. */
export const GENERAL_PATHS: ReadonlyMap<string, GeneralPage["kind"]> = new Map(
  GENERAL_KINDS.map((kind) => [FIXED_PATHS[kind], kind]),
);
