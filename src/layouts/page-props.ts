/** The properties of a page that its layout needs, and how a quote is called in titles and descriptions. */
import type { Script } from "../contract/languages.ts";
import type { LetterSet } from "./letters.ts";
import type { Thing, CardData } from "../site/index.ts";
import type { Locale } from "../i18n/locale.ts";
import { plainLine, shorten } from "../contract/text.ts";

// Overrides of components import it from this module.
export { shorten };

/** The same page in another language. */
export interface Alternate {
  /** BCP 47. */
  readonly hreflang: string;
  readonly path: string;
}

/** What a page of a fork must say: its title. */
export type PageInput = Omit<PageProps, "locale" | "path"> &
  Partial<Pick<PageProps, "locale" | "path">> & {
    /** Code of the page's language; the site's where it is left out. */
    readonly language?: string | undefined;
  };

export interface PageProps {
  readonly locale: Locale;
  /** Without the name of the site, which the layout adds; null on the first page. */
  readonly title: string | null;
  readonly description?: string | undefined;
  /** The page's own address, without the base path. */
  readonly path: string;
  /** Scripts of the quotes on the page: their typefaces are the ones it declares. */
  readonly scripts?: readonly Script[] | undefined;
  /** Scripts of the names on the page: their typefaces are declared too. */
  readonly nameScripts?: readonly Script[] | undefined;
  /** The set of letters that it shows in other scripts, or in all where it is small. */
  readonly letters?: LetterSet | undefined;
  readonly alternates?: readonly Alternate[] | undefined;
  /** The page's JSON-LD, for search engines. */
  readonly things?: readonly Thing[] | undefined;
  /** Folder of the page's own feed. */
  readonly feed?: string | undefined;
  /** Path of what other sites need to embed the page. */
  readonly oEmbed?: string | undefined;
  /** What the page is to those who link to it. */
  readonly type?: "website" | "article" | "profile" | undefined;
  /** Kept out of search engines. */
  readonly hidden?: boolean | undefined;
}

/** In UTF-16 units; what search engines show of a title and of a description. */
const TITLE_LENGTH = 70;
/** Of it the author: the quotes of a long name have titles of their own, too. */
const AUTHOR_LENGTH = 35;
const DESCRIPTION_LENGTH = 200;

/** Title and description of a quote's own page. */
export function quoteHead(locale: Locale, card: CardData): { title: string; description: string } {
  const author = card.author.name ?? locale.messages.unknownAuthor;
  const text = plainLine(card.quote.text);
  return {
    title: shorten(`${shorten(author, AUTHOR_LENGTH)}: ${text}`, TITLE_LENGTH),
    description: shorten(text, DESCRIPTION_LENGTH),
  };
}

/** The title of a page with the name of the site behind it, as long as a title may be; null on the first page. */
export function pageTitle(title: string | null, site: string): string {
  if (title === null) return shorten(site, TITLE_LENGTH);
  const room = TITLE_LENGTH - site.length - " · ".length;
  return room < TITLE_LENGTH / 2
    ? shorten(title, TITLE_LENGTH)
    : `${shorten(title, room)} · ${site}`;
}
