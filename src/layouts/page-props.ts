/** The props of a page's layout, and the titles and descriptions of quotes. */
import type { Script } from "../contract/languages.ts";
import type { LetterSet } from "./letters.ts";
import type { Thing, CardData } from "../site/index.ts";
import type { Locale } from "../i18n/locale.ts";
import { plainLine, shorten } from "../util/text.ts";

// Overrides of components import it from this module.
export { shorten };

/** The props of `Page.astro`. Only the title is required. */
export type PageInput = Omit<PageProps, "locale" | "path"> &
  Partial<Pick<PageProps, "locale" | "path">> & {
    /** Code of the page's language; default: the site's. */
    readonly language?: string | undefined;
  };

export interface PageProps {
  readonly locale: Locale;
  /** Without the name of the site; null on the home page. */
  readonly title: string | null;
  /** Replaces the end of a title that is too long, such as " #12": pages whose titles begin alike still differ. */
  readonly ending?: string | undefined;
  /** Follows the title in the window alone, such as " · Tag": an author and a tag may have one name. */
  readonly mark?: string | undefined;
  /** Default: the title, with the description of the site. */
  readonly description?: string | undefined;
  /** Address of the page, without the base path. */
  readonly path: string;
  /** Scripts of the quotes on the page, whose typefaces it declares. */
  readonly scripts?: readonly Script[] | undefined;
  /** Scripts of the names on the page, whose typefaces it declares too. */
  readonly nameScripts?: readonly Script[] | undefined;
  /** Set of small typefaces for the page. */
  readonly letters?: LetterSet | undefined;
  /** The page's JSON-LD. */
  readonly things?: readonly Thing[] | undefined;
  /** Folder of the page's own feed. */
  readonly feed?: string | undefined;
  /** Path of the page's oEmbed description. */
  readonly oEmbed?: string | undefined;
  /** Open Graph type. */
  readonly type?: "website" | "article" | "profile" | undefined;
  /** Path of the page that search engines list in the place of this one; default: this one. */
  readonly canonical?: string | undefined;
  /** Excluded from search engines. */
  readonly hidden?: boolean | undefined;
}

/** Open Graph wants a territory: those of its own list, for each language that has one there. */
export const OG_LOCALES: Readonly<Record<string, string>> = {
  ...{ en: "en_US", fr: "fr_FR", de: "de_DE", it: "it_IT", pt: "pt_PT", ru: "ru_RU", es: "es_ES" },
  ...{ tr: "tr_TR", uk: "uk_UA", he: "he_IL", ar: "ar_AR", bn: "bn_IN", te: "te_IN", hi: "hi_IN" },
};

/** In UTF-16 units: search engines show as much of a title and of a description. */
const TITLE_LENGTH = 70;
/** Part of the title for the author, so that quotes of a long name still have different titles. */
const AUTHOR_LENGTH = 35;
const DESCRIPTION_LENGTH = 200;

/** Title and description of a quote's own page. */
export function quoteHead(locale: Locale, card: CardData) {
  const author = card.author.name ?? locale.messages.unknownAuthor;
  const text = plainLine(card.quote.text);
  const ending = ` #${card.id}`;
  return {
    title: ended(`${shorten(author, AUTHOR_LENGTH)}: ${text}`, ending, TITLE_LENGTH),
    description: ended(`${text} — ${author}`, ending, DESCRIPTION_LENGTH),
    ending,
  };
}

/**
 * The title of a page, with the name of the site.
 *
 * @param title null on the home page
 * @param ending replaces the end of a title that is too long, so that no two pages have one title
 * @param mark follows the title
 */
export function pageTitle(title: string | null, site: string, ending = "", mark = ""): string {
  if (title === null) return shorten(site, TITLE_LENGTH - mark.length) + mark;
  const room = TITLE_LENGTH - site.length - " · ".length;
  return room < TITLE_LENGTH / 2
    ? ended(title + mark, ending + mark, TITLE_LENGTH)
    : `${ended(title + mark, ending + mark, room)} · ${site}`;
}

function ended(text: string, ending: string, room: number): string {
  return text.length <= room ? text : shorten(text, room - ending.length) + ending;
}
