/** How a quote is called where there is room for a line only: titles, descriptions, feeds. */
import { plainLine } from "../contract/text.ts";
import type { Locale } from "../i18n/locale.ts";
import type { CardData } from "../site/index.ts";

/** In UTF-16 units; what search engines show of a title and of a description. */
const TITLE_LENGTH = 70;
const DESCRIPTION_LENGTH = 200;

/** Title and description of a quote's own page. */
export function quoteHead(locale: Locale, card: CardData): { title: string; description: string } {
  const author = card.author.name ?? locale.messages.unknownAuthor;
  const text = plainLine(card.quote.text);
  return {
    title: shorten(`${author}: ${text}`, TITLE_LENGTH),
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

/** Cuts at a blank where there is one, never within a letter and its marks. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).replace(/\P{M}\p{M}*$/u, "");
  const words = cut.replace(/\s+\S*$/, "");
  return `${(words.length < length / 2 ? cut : words).trimEnd()}…`;
}
