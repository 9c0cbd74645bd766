/**
 * Every sentence of the site's own, by key: what a page may say besides quotes, names and numbers.
 *
 * The type is the check: a language that lacks a message, or a plural form its grammar has, does not compile.
 */
import type { KnownLanguage } from "../contract/languages.ts";

/** The plural categories of each language (CLDR); `other` also covers fractions. */
interface PluralForms {
  en: "one" | "other";
  fr: "one" | "many" | "other";
  de: "one" | "other";
  it: "one" | "many" | "other";
  pt: "one" | "many" | "other";
  ru: "one" | "few" | "many" | "other";
  es: "one" | "many" | "other";
  tr: "one" | "other";
  uk: "one" | "few" | "many" | "other";
  he: "one" | "two" | "other";
  ar: "zero" | "one" | "two" | "few" | "many" | "other";
  be: "one" | "other";
  te: "one" | "other";
  hi: "one" | "other";
}

/** One sentence for each form; `{n}` is the number, and may be left out where the form says it in words. */
export type Plural<L extends KnownLanguage> = L extends KnownLanguage
  ? Readonly<Record<PluralForms[L], string>>
  : never;

export interface Messages<L extends KnownLanguage = KnownLanguage> {
  /** The link that jumps over the menu. */
  readonly skip: string;
  readonly menu: string;
  readonly home: string;
  readonly today: string;
  readonly languages: string;
  readonly tags: string;
  readonly authors: string;
  readonly about: string;
  readonly feed: string;

  /** Name of the light and dark switch, and its three positions. */
  readonly appearance: string;
  readonly system: string;
  readonly light: string;
  readonly dark: string;

  readonly count: {
    readonly quotes: Plural<L>;
    readonly authors: Plural<L>;
    readonly tags: Plural<L>;
    readonly languages: Plural<L>;
    readonly likes: Plural<L>;
  };

  readonly unknownAuthor: string;
  /** The link from a quote to its own page, and what it leads to in full. */
  readonly link: string;
  readonly permalink: string;

  /** The word above the name of a listing. */
  readonly author: string;
  readonly tag: string;
  readonly language: string;
  readonly mostLikedFirst: string;
  /** Name of the row of page links. */
  readonly pages: string;
  readonly pageOf: string;
  readonly previous: string;
  readonly next: string;

  readonly quoteOfTheDay: string;
  readonly todayIntro: string;
  readonly mostLiked: string;
  readonly mostQuoted: string;
  readonly byInitial: string;
  readonly unattributed: string;
  readonly allTags: string;
  readonly allAuthors: string;

  readonly aboutIntro: string;
  readonly aboutOrder: string;
  readonly collection: string;
  readonly dataAsOf: string;
  readonly source: string;
  readonly completeness: string;
  /** What the label of a harvest promises. */
  readonly labels: Readonly<Record<Label, string>>;
  readonly harvest: string;
  readonly requests: string;
  readonly retries: string;
  readonly repaired: string;
  readonly duplicates: string;
  readonly removed: string;
  readonly quarantined: string;

  /** Shown when the data is older than `staleAfterDays`. */
  readonly stale: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly backHome: string;
  readonly attribution: string;
}

/** Labels of a harvest, and `unknown` for a snapshot that bears none we know. */
export type Label =
  "complete:proved" | "complete:sliced" | "best-effort" | "partial" | "failed" | "unknown";

/** The blanks each sentence has, and no other has any. */
export const BLANKS = {
  pageOf: ["page", "pages"],
  aboutIntro: ["title"],
  stale: ["date"],
  attribution: ["name"],
} as const satisfies Partial<Record<keyof Messages, readonly string[]>>;
