/**
 * Every text of the site but quotes, names and numbers, in English. The other languages have the same keys (`Translation`),
 * and the same placeholders, such as `{n}`, in each sentence.
 */
export const en = {
  // On a page that leads on to another.
  moved: "This page has moved",
  // Name of the search filter for quotes that a person chose.
  curatedOnly: "Curated only",
  page: {
    // The link that jumps over the menu.
    skip: "Skip to the text",
    menu: "Main menu",
    home: "Home",
    today: "Today",
    languages: "Languages",
    tags: "Tags",
    authors: "Authors",
    about: "About",
    feed: "Feed",
    // Name of the light and dark switch, and its three positions.
    appearance: "Appearance",
    system: "System",
    light: "Light",
    dark: "Dark",
    // The plural forms of a language are those of its grammar (CLDR); `other` also covers fractions.
    count: {
      quotes: { one: "{n} quote", other: "{n} quotes" },
      authors: { one: "{n} author", other: "{n} authors" },
      tags: { one: "{n} tag", other: "{n} tags" },
      languages: { one: "{n} language", other: "{n} languages" },
      likes: { one: "{n} like", other: "{n} likes" },
    },
    unknownAuthor: "Unknown author",
    // The link from a quote to its own page.
    link: "Link",
    // The link to a file that shows the quote: what social networks are shown, as a square.
    picture: "Picture of this quote",
    // The word above the name of a listing.
    author: "Author",
    tag: "Tag",
    language: "Language",
    mostLikedFirst: "most liked first",
    // Name of the row of page links.
    pages: "Pages",
    pageOf: "Page {page} of {pages}",
    previous: "Previous",
    next: "Next",
    quoteOfTheDay: "Quote of the day",
    todayIntro: "One quote for each language, the same all day.",
    mostLiked: "Most liked",
    mostQuoted: "Most quoted",
    byInitial: "By first letter",
    unattributed: "Quotes without an author",
    allTags: "All tags",
    allAuthors: "All authors",
    aboutIntro:
      "{title} is a commonplace book: a place to copy the sentences one wants to keep. Every quote stands here as the service gives it, under the name the service gives it; we do not check who first said it.",
    aboutOrder:
      "A quote stands once under its author, its language and each of its tags, the most liked first.",
    collection: "The collection",
    dataAsOf: "Data as of",
    source: "Source",
    completeness: "Completeness",
    // What the label of a harvest promises; `unknown` for a snapshot that bears none we know.
    labels: {
      "complete:proved":
        "Complete, and proved so: every page of the service’s list links to the next.",
      "complete:sliced": "Complete: read in slices, each in one piece.",
      "best-effort":
        "Best effort: the order of the list changed while it was read, so a few quotes may be missing.",
      partial: "Partial: the last reading stopped early. What it brought was added to what we had.",
      unknown: "Not known.",
    },
    // When the data is older than `staleAfterDays`.
    stale: "These quotes were last read on {date}. Newer ones may be missing.",
    notFound: "This page is not in the book",
    notFoundText: "The address may be mistyped, or the quotes that stood here are gone.",
    backHome: "Back to the first page",
    attribution: "Quotes from {name}",
  },
  // Search, favourites, sharing. No sentence holds a number in words: `{n}` is a bare figure.
  reader: {
    search: "Search",
    label: "Words or a name",
    hint: "In quotation marks: exactly these words.",
    anyLanguage: "All languages",
    anyLength: "Any length",
    short: "Short",
    medium: "Medium",
    long: "Long",
    results: "Results: {n}",
    none: "Nothing found.",
    // Above the other languages that have answers.
    alsoIn: "Also in",
    more: "More",
    failed: "The search could not be loaded. Please try again.",
    needsScript: "The search needs JavaScript. These indexes lead to every quote without it:",
    favourites: "Favourites",
    keep: "Keep",
    unkeep: "Remove from favourites",
    empty: "Nothing kept yet. “Keep” below a quote puts it here.",
    keepIntro: "Kept in this browser alone; nobody else sees them.",
    exportAll: "Export",
    importFile: "Import",
    imported: "Imported: {n}",
    notImported: "This file holds no favourites.",
    full: "The browser’s storage is full: this was not kept.",
    blocked: "The browser does not let this site keep anything.",
    damaged: "What was stored here could not be read. It was put aside, and the list begins anew.",
    // Name of the button of a card that opens the next seven.
    actions: "Copy or share",
    copyText: "Copy text",
    copyMarkdown: "Copy Markdown",
    copyHtml: "Copy HTML",
    copyLink: "Copy link",
    copied: "Copied",
    copyFailed: "Could not copy",
    share: "Share",
    random: "Random",
    another: "Another one",
    shortcuts: "Keyboard shortcuts",
    shortcutsOn: "Use keyboard shortcuts",
    next: "Next quote",
    previous: "Previous quote",
    close: "Close",
    // Above the tags and authors that go with a listing.
    related: "Related",
    // Above the largest tags.
    largest: "Largest",
    // The page about the JSON files, which is in English, and the link that leads to it.
    api: "Data for others",
  },
  vote: {
    // In every card, in the language of its quote.
    card: {
      // Name of the group: what the number counts.
      likes: "Likes",
      up: "Like",
      down: "Dislike",
      report: "Report",
      // The second step of a report, on the button that sends it.
      confirm: "Yes, report this quote",
    },
    // Once a page, in its language. The reader's browser writes `{when}` ("in 5 minutes"), in the right plural.
    states: {
      sending: "Sending…",
      counted: "Counted. Thank you.",
      // Sent, and it is unknown whether it arrived: never sent again.
      unconfirmed: "Sent, but not confirmed.",
      later: "The service is busy. Please try again later.",
      laterIn: "The service is busy. Please try again {when}.",
      offline: "You are offline. Nothing was sent.",
      refused: "The service refused this.",
      // One vote a quote, and one report.
      already: "You have already voted on this quote.",
      reported: "You have already reported this quote.",
      // In place of a quote that the reader reported.
      hidden: "You reported this quote, so it is hidden here.",
      show: "Show it again",
    },
  },
  // The page about the last build, and the link that leads to it; what it says is in English.
  build: { title: "The last build" },
  follow: {
    // The page of what was added, and the link that leads to it.
    newQuotes: "New quotes",
    newIntro: "Quotes that are new here, by the day on which they came.",
    newNone: "Nothing has come since the collection was first read.",
    // Below a day with more than the page shows.
    newMore: "That day brought more quotes than are shown here.",
    // The page of all days, and the link that leads to it.
    calendar: "Calendar",
    calendarIntro: "The quotes of each day, as they were shown.",
    // On a day of which quotes were removed later.
    dayGone: "Some quotes of this day have since left the collection.",
    previousDay: "Previous day",
    nextDay: "Next day",
    // The link to the file for calendar apps.
    inCalendar: "Add to a calendar app",
    // In the menu of a card.
    embed: "Copy embed code",
    // In place of a page that was never visited, without a connection.
    offline: "You are offline",
    offlineText: "This page is not kept on your device. These are:",
    // On the page of favourites.
    book: "Download as EPUB",
    bookFailed: "The book could not be made.",
    // Inside the book.
    contents: "Contents",
  },
} as const;

/** The type of one language's texts. A language that lacks a sentence does not compile. */
export type Translation = TextsLike<typeof en>;

/** What pages say around quotes. */
export type Messages = Translation["page"];

/** One sentence for each plural form; `{n}` is the number, and may be left out where the form says it in words. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

type TextsLike<English> = English extends string
  ? string
  : English extends Plural
    ? Plural
    : { readonly [Key in keyof English]: TextsLike<English[Key]> };

export type Placeholder<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
