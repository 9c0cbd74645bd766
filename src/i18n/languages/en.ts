/**
 * All texts of the interface, in English. The other languages have the same keys (`Translation`), and the same placeholders,
 * such as `{n}`, in each sentence.
 */
export const en = {
  // On a page that redirects to another.
  moved: "This page has moved",
  // Name of the search filter for curated quotes.
  curatedOnly: "Curated only",
  page: {
    // The link that skips the menu.
    skip: "Skip to the text",
    menu: "Main menu",
    home: "Home",
    // What a site says of itself that has no `description`.
    tagline: "Sentences worth keeping.",
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
    link: "Permalink",
    // The link to the square Open Graph image of the quote.
    picture: "Picture of this quote",
    // The label above the name of a listing.
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
      "{title} is a commonplace book: a place to copy the sentences one wants to keep. Every quote stands here as its source gives it, under the name the source gives it; we do not check who first said it.",
    aboutOrder:
      "A quote stands once under its author, its language and each of its tags, the most liked first.",
    loadsNothing: "The pages of this site load nothing from elsewhere.",
    loadsFrom: "The pages of this site also load from {origins}.",
    corrected: "Corrected by this site",
    asServed: "As the source has it",
    collection: "The collection",
    dataAsOf: "Data as of",
    source: "Source",
    // Heading of the sources of the embedded collection, and the text of the link to it.
    sources: "Sources of the quotes",
    completeness: "Completeness",
    // The meaning of the label of a harvest; `unknown` for a snapshot without a known label.
    labels: {
      "complete:proved": "Complete, and proved so: every page of the list links to the next.",
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
  // Search, favourites, sharing. No sentence has a plural: `{n}` is a number alone.
  reader: {
    search: "Search",
    label: "Words or a name",
    hint: "“Two words” in quotation marks are found together.",
    anyLanguage: "All languages",
    anyLength: "Any length",
    short: "Short",
    medium: "Medium",
    long: "Long",
    // The search is at work. `{n}`: number of languages.
    asking: "Asking {n} languages…",
    none: "No quote has “{q}”. Try fewer words, or a name.",
    // Before the number of quotes that have some of the words.
    fewer: "No quote has all of these words. With “{q}”:",
    // Above the other languages with answers.
    alsoIn: "Also in",
    // Above searches for similar words, where nothing was found.
    similar: "Did you mean",
    more: "More",
    failed: "The search could not be loaded. Please try again.",
    needsScript: "The search needs JavaScript. These indexes lead to every quote without it:",
    // Where WebAssembly is turned off, as in some private modes.
    needsEngine:
      "This browser cannot search in quotes: WebAssembly is turned off. Authors and tags are found, and these indexes lead to every quote:",
    favourites: "Favourites",
    keep: "Keep",
    unkeep: "Remove from favourites",
    empty: "Nothing kept yet. “Keep” below a quote puts it here.",
    keepIntro: "Kept in this browser alone; nobody else sees them.",
    // On the page of favourites, where the browser does not promise to keep them.
    mayGo:
      "The browser may delete them after some days without a visit. Export them to keep a copy.",
    exportAll: "Export",
    importFile: "Import",
    imported: "Imported: {n}",
    notImported: "This file holds no favourites.",
    full: "The browser’s storage is full: this was not kept.",
    blocked: "The browser does not let this site keep anything.",
    keepNeedsScript: "Keeping quotes needs JavaScript.",
    damaged: "What was stored here could not be read. It was put aside, and the list begins anew.",
    // Name of the button that opens the menu of a card.
    actions: "Copy or share",
    copyText: "Copy text",
    copyMarkdown: "Copy Markdown",
    copyHtml: "Copy HTML",
    copyLink: "Copy link",
    copied: "Copied",
    copyFailed: "Could not copy",
    share: "Share",
    // One of the links that share a quote; the others are names of services.
    mail: "Mail",
    random: "Random",
    another: "Another one",
    shortcuts: "Keyboard shortcuts",
    shortcutsOn: "Use keyboard shortcuts",
    next: "Next quote",
    previous: "Previous quote",
    close: "Close",
    // Above the related tags and authors of a listing.
    related: "Related",
    // Above the largest tags.
    largest: "Largest",
    // The name of the field above a long index.
    findInList: "Find in this list",
    // The title of the page about the JSON files, which is in English, and the link to it.
    api: "For programs (JSON)",
  },
  vote: {
    // In each card, in the language of its quote.
    card: {
      // Name of the number and its buttons.
      likes: "Likes",
      up: "Like",
      down: "Dislike",
      report: "Report",
      // On the button that sends a report.
      confirm: "Report this quote (it will be hidden for you)",
    },
    // In the language of the page. The browser formats `{when}` ("in 5 minutes").
    states: {
      sending: "Sending…",
      counted: "Counted. Thank you.",
      // It is unknown whether the service counted the vote.
      unconfirmed: "Sent. The service has not answered, so we do not know whether it counted.",
      later: "The service is busy. Please try again later.",
      laterIn: "The service is busy. Please try again {when}.",
      offline: "You are offline. Nothing was sent.",
      refused: "The service did not take this vote.",
      // A browser sends one vote and one report for a quote.
      already: "You have already voted on this quote.",
      reported: "You have already reported this quote.",
      // In place of a reported quote.
      hidden: "You reported this quote, so it is hidden here.",
      show: "Show it again",
    },
  },
  // The foot of a card, in the language of its quote.
  card: {
    // The button of a quote that is kept; otherwise it says `reader.keep`.
    kept: "Kept",
    copy: "Copy",
    // The link to the quote's own page.
    open: "Open",
  },
  // What a reader keeps.
  book: {
    // In the main menu, which has five words in one line of a phone: a short word.
    menu: "Kept",
    removed: "Removed",
    undo: "Undo",
    all: "See all ({n})",
    // Opens the formats of a copy, in the menu of a card.
    copyAs: "Copy as…",
    // The title of the list until the reader gives it another, and the name of that field.
    title: "My book",
    titleLabel: "Title of your book",
    // The name of the field below a quote, and what is said once it is stored.
    note: "Note",
    saved: "Saved",
    up: "Move up",
    down: "Move down",
    remove: "Remove",
    filter: "Find in your book",
    // The name of the choice between the reader's order and groups by author, tag and day.
    group: "Order",
    own: "My own order",
    day: "By day",
    print: "Print",
    none: "Nothing in your book has these words.",
    begin: "Nothing kept yet. Three quotes of today to begin with:",
  },
  // The dialog that makes a picture of a quote.
  image: {
    name: "Picture",
    size: "Size",
    square: "Square",
    tall: "Tall",
    wide: "Wide",
    style: "Style",
    paper: "Paper",
    night: "Night",
    colour: "Colour",
    save: "Save",
    failed: "The picture could not be drawn.",
    tooLong: "Too long for this shape; try the tall one, or copy the text.",
  },
  // The languages that a reader reads.
  another: {
    // Before their names: You read English Deutsch.
    read: "You read",
    allToday: "All of today",
    others: "Quotes of today in other languages",
  },
  // The title of the page of the last build, which is in English, and the link to it.
  build: { title: "The last build" },
  follow: {
    // The title of the page of new quotes, and the link to it.
    newQuotes: "New quotes",
    newIntro: "Quotes that are new here, by the day on which they came.",
    newNone:
      "Nothing new yet. New quotes stand here after a later reading of the collection. Meanwhile:",
    // Below a day with more quotes than the page shows.
    newMore: "That day brought more quotes than are shown here.",
    // The title of the page of all days, and the link to it.
    calendar: "Calendar",
    calendarIntro: "The quotes of each day, as they were shown.",
    // The title of the page of all feeds, and the link to it.
    feeds: "Feeds",
    feedsIntro:
      "A feed brings new quotes to you, without an account: copy its address into a feed reader, an app for news or a mail program.",
    // On the page of a day, where some of its quotes were removed later.
    dayGone: "Some quotes of this day have since left the collection.",
    previousDay: "Previous day",
    nextDay: "Next day",
    // The link to the file for calendar apps.
    inCalendar: "Add to a calendar app",
    // In the menu of a card.
    embed: "Copy embed code",
    // Without a connection, in place of a page that is not cached.
    offline: "You are offline",
    offlineText: "This page is not kept on your device.",
    // Above the pages that are.
    offlineKept: "These are:",
    // Above a kept page, where the site is slow or out of order. The browser formats `{date}`.
    copyFrom: "This copy is from {date}.",
    // On the page of favourites.
    book: "Download as EPUB",
    bookFailed: "The book could not be made.",
    // Inside the book.
    contents: "Contents",
  },
} as const;

/** The texts of a language. A language that lacks one does not compile. */
export type Translation = TextsLike<typeof en>;

/** A text for each plural form. A form may have the number in words in place of `{n}`. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

type TextsLike<English> = English extends string
  ? string
  : English extends Plural
    ? Plural
    : { readonly [Key in keyof English]: TextsLike<English[Key]> };

export type Placeholder<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
