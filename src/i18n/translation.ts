/**
 * The type of one language's module: every text of the site but quotes, names and numbers.
 *
 * The type is the check: a language that lacks a sentence, or a plural form that its grammar has, does not compile.
 */
/** One language: a module in `languages/`. */
export interface Translation<L extends InterfaceLanguage = InterfaceLanguage> {
  /** On a page that leads on to another. */
  readonly moved: string;
  /** Name of the search filter for quotes that a person chose. */
  readonly curatedOnly: string;
  readonly page: Messages<L>;
  readonly reader: ReaderMessages;
  readonly vote: VoteMessages;
  readonly build: BuildMessages;
  readonly follow: FollowMessages;
}

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

/** The languages of the project's own pages; a fork adds others in `site/messages`. */
export type InterfaceLanguage = keyof PluralForms;

/** One sentence for each form; `{n}` is the number, and may be left out where the form says it in words. */
export type Plural<L extends InterfaceLanguage> = L extends InterfaceLanguage
  ? Readonly<Record<PluralForms[L], string>>
  : never;

export interface Messages<L extends InterfaceLanguage = InterfaceLanguage> {
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
  /** The link from a quote to its own page. */
  readonly link: string;
  /** The link to a file that shows the quote: what social networks are shown, as a square. */
  readonly picture: string;

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

/** Search, favourites, sharing. No sentence holds a number in words: `{n}` is a bare figure. */
export interface ReaderMessages {
  /** Finding. */
  readonly search: string;
  readonly label: string;
  readonly hint: string;
  readonly anyLanguage: string;
  readonly anyLength: string;
  readonly short: string;
  readonly medium: string;
  readonly long: string;
  /** With the blank `{n}`. */
  readonly results: string;
  readonly none: string;
  /** Above the other languages that have answers. */
  readonly alsoIn: string;
  readonly more: string;
  readonly failed: string;
  readonly needsScript: string;
  /** Keeping. */
  readonly favourites: string;
  readonly keep: string;
  readonly unkeep: string;
  readonly empty: string;
  readonly keepIntro: string;
  readonly exportAll: string;
  readonly importFile: string;
  /** With the blank `{n}`. */
  readonly imported: string;
  readonly notImported: string;
  readonly full: string;
  readonly blocked: string;
  readonly damaged: string;
  /** Name of the button of a card that opens the next seven. */
  readonly actions: string;
  readonly copyText: string;
  readonly copyMarkdown: string;
  readonly copyHtml: string;
  readonly copyLink: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly share: string;
  readonly random: string;
  readonly another: string;
  readonly shortcuts: string;
  readonly shortcutsOn: string;
  readonly next: string;
  readonly previous: string;
  readonly close: string;
  /** Above the tags and authors that go with a listing. */
  readonly related: string;
  /** Above the largest tags. */
  readonly largest: string;
  /** The page about the JSON files, which is in English, and the link that leads to it. */
  readonly api: string;
}

/** Votes and reports. The reader's browser writes `{when}` ("in 5 minutes"), in the right plural. */
export interface VoteMessages {
  /** In every card, in the language of its quote. */
  readonly card: {
    /** Name of the group: what the number counts. */
    readonly likes: string;
    readonly up: string;
    readonly down: string;
    readonly report: string;
    /** The second step of a report, on the button that sends it. */
    readonly confirm: string;
  };
  /** Once a page, in its language. */
  readonly states: VoteStates;
}

export interface VoteStates {
  readonly sending: string;
  readonly counted: string;
  /** Sent, and it is unknown whether it arrived: never sent again. */
  readonly unconfirmed: string;
  readonly later: string;
  /** With the blank `{when}`. */
  readonly laterIn: string;
  readonly offline: string;
  readonly refused: string;
  /** One vote a quote. */
  readonly already: string;
  /** One report a quote, too. */
  readonly reported: string;
  /** In place of a quote that the reader reported. */
  readonly hidden: string;
  /** Undoes the hiding. */
  readonly show: string;
}

/** The page about the last build; what it says is in English. */
export interface BuildMessages {
  /** The page's name, and the link that leads to it. */
  readonly title: string;
}

/** Following the site, and taking quotes along: new quotes, the days before, embedding, offline, a book. */
export interface FollowMessages {
  /** The page of what was added, and the link that leads to it. */
  readonly newQuotes: string;
  readonly newIntro: string;
  readonly newNone: string;
  /** Below a day with more than the page shows. */
  readonly newMore: string;
  /** The page of all days, and the link that leads to it. */
  readonly calendar: string;
  readonly calendarIntro: string;
  /** On a day of which quotes were removed later. */
  readonly dayGone: string;
  readonly previousDay: string;
  readonly nextDay: string;
  /** The link to the file for calendar apps. */
  readonly inCalendar: string;
  /** In the menu of a card. */
  readonly embed: string;
  /** In place of a page that was never visited, without a connection. */
  readonly offline: string;
  readonly offlineText: string;
  /** On the page of favourites. */
  readonly book: string;
  readonly bookFailed: string;
  /** Inside the book. */
  readonly contents: string;
}
