/** What finding, keeping and sharing may say: a language that lacks a sentence does not compile. */
export interface FoundMessages {
  /** Finding. */
  readonly search: string;
  readonly label: string;
  readonly hint: string;
  readonly anyLanguage: string;
  readonly anyTag: string;
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
  /** The page about the JSON files. */
  readonly api: string;
  readonly apiIntro: string;
  readonly apiToday: string;
  readonly apiRandom: string;
  readonly apiLists: string;
  readonly apiPages: string;
  readonly apiWhere: string;
  readonly apiSchema: string;
}
