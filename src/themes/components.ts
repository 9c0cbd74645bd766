/**
 * The components and layouts that a site may override, and what is promised of each. docs/components.md and the exports of the
 * package are made of this table: a path that is not in it, or is private, is no part of the interface.
 */

export const USES = {
  replace: "safe to replace",
  wrap: "wrap only",
  private: "private",
} as const;

export interface ComponentRow {
  readonly use: keyof typeof USES;
  readonly purpose: string;
  /** Its interface in src/components/props.ts; null for a private component. */
  readonly props: string | null;
}

const replace = (props: string, purpose: string): ComponentRow => ({
  ...{ use: "replace", props, purpose },
});
const wrap = (props: string, purpose: string): ComponentRow => ({ use: "wrap", props, purpose });
const hidden = (purpose: string): ComponentRow => ({ use: "private", props: null, purpose });

/** By the path below `src`, without the ending. */
export const COMPONENTS: Readonly<Record<string, ComponentRow>> = {
  "components/slots/Logo": replace(
    "LogoProps",
    "Empty: in the masthead, inside the link to the first page, before the name of the site.",
  ),
  "components/slots/HeadEnd": replace("HeadEndProps", "Empty: the end of `<head>` of every page."),
  "components/slots/BodyEnd": replace("BodyEndProps", "Empty: the end of `<body>` of every page."),
  "components/slots/AfterQuote": replace(
    "AfterQuoteProps",
    "Empty: on the page of a quote, between the quote and the related ones.",
  ),
  "components/chrome/Masthead": replace("MastheadProps", "The name of the site and its menu."),
  "components/chrome/Heading": replace(
    "HeadingProps",
    "The heading of a page, with a line below it as its slot.",
  ),
  "components/chrome/Prose": replace("ProseProps", "Text in a width for reading, as its slot."),
  "components/chrome/Facts": replace("FactsProps", "Size, age and source of the collection."),
  "components/lists/AuthorFacts": replace(
    "AuthorFactsProps",
    "What `site/authors.yaml` says of an author.",
  ),
  "components/lists/Index": replace("IndexProps", "Links to listings, with their numbers."),
  "components/lists/LanguageLink": replace("LanguageLinkProps", "A link to a language's quotes."),
  "components/lists/Pager": replace("PagerProps", "Links to the other pages of a listing."),
  "components/lists/Days": replace("DaysProps", "Links to the days before and after."),
  "components/quote/Picture": replace("PictureProps", "The picture of a quote, or an ornament."),
  "components/reader/Ask": replace("AskProps", "The search field of the first page."),
  "components/chrome/Colophon": wrap(
    "ColophonProps",
    "The footer: the attribution that the service requires, links, and the page's script.",
  ),
  "components/chrome/SchemeSwitch": wrap(
    "SchemeSwitchProps",
    "The choice of light or dark, which the page's script shows.",
  ),
  "components/chrome/Sources": wrap(
    "SourcesProps",
    "The sources of the embedded collection, to which the attribution leads.",
  ),
  "components/lists/Initials": wrap("InitialsProps", "Links to the initials of authors."),
  "components/lists/More": wrap("MoreProps", "Related quotes below a quote on its own page."),
  "components/quote/Card": wrap("CardProps", "A quote; its markup is read by search and audit."),
  "components/quote/Cards": wrap("CardsProps", "A list of cards."),
  "components/quote/Quotes": wrap(
    "QuotesProps",
    "The most liked quotes of a tag, an author or a language, for pages of your own.",
  ),
  "components/quote/By": wrap("ByProps", "The author of a card, and where the quote stands."),
  "components/quote/Notes": wrap("NotesProps", "Likes, tags and the permalink of a card."),
  "components/reader/Share": wrap("ShareProps", "Links that share a quote."),
  "layouts/Head": wrap("HeadProps", "The metadata of a page."),
  "layouts/Listing": wrap("ListingProps", "A page of a tag, an author or a language."),
  "layouts/Page": wrap("PageInput", "The frame of every page. Pages of your own need it."),
  "components/build/Builds": hidden("The chart of the last builds."),
  "components/lists/IndexFilter": hidden("The field that finds names in a long index."),
  "components/lists/Offers": hidden("Links to quotes, by their first lines."),
  "components/lists/OwnDay": hidden("Leads a reader in another time zone to the own date."),
  "components/quote/QuotesInText": hidden("The element `<Quotes>` of a Markdown file."),
  "components/quote/Served": hidden("The words of the service for a corrected quote."),
  "components/quote/Words": hidden("The text of a quote as it is printed."),
  "components/reader/Another": hidden("The link to another quote."),
  "components/reader/Answers": hidden("The list that search and favourites fill."),
  "components/reader/PageScript": hidden("The script of every page, with its messages."),
  "components/vote/Vote": hidden("Likes of a card, with the buttons to vote."),
  "components/vote/VoteForms": hidden("The forms of the vote buttons."),
  "layouts/Embed": hidden("A quote for the frame of another site."),
  "layouts/Markdown": hidden("The page of a Markdown file."),
  "layouts/Typefaces": hidden("The typefaces of a page."),
};

/** Where the module of the named props is, below `src`. */
export const PROPS_MODULE = "components/props";
