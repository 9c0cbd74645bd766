/** Turns the keys of pages into what a route lists, and back: page 1 has no number in its address. */
import { UNDETERMINED } from "../contract/languages.ts";
import { listingPath } from "../site/address.ts";
import type { Voice } from "../i18n/voice.ts";
import type { CardData, LanguageCount, ListingPath } from "../site/types.ts";
import type { Alternate } from "./page-props.ts";

export interface ListingRoute {
  readonly params: { readonly slug: string; readonly page: string | undefined };
}

export function listingRoutes(paths: readonly ListingPath[]): ListingRoute[] {
  return paths.map(({ slug, page }) => ({
    params: { slug, page: page === 1 ? undefined : String(page) },
  }));
}

export function pageNumber(page: string | undefined): number {
  return page === undefined ? 1 : Number(page);
}

/** First pages of languages stand for each other; later pages have no counterpart. */
export function alternatesOf(languages: readonly LanguageCount[], page: number): Alternate[] {
  if (page !== 1) return [];
  return languages
    .filter(({ language }) => language.tag !== UNDETERMINED)
    .map(({ slug, language }) => ({ hreflang: language.tag, path: listingPath("language", slug) }));
}

export function quoteRoutes(ids: readonly number[]): { params: { id: string } }[] {
  return ids.map((id) => ({ params: { id: String(id) } }));
}

/** Words of a quote that fit a title, in UTF-16 units. */
const TITLE_LENGTH = 60;

const DESCRIPTION_LENGTH = 200;

/** Title and description of a quote's own page. */
export function quoteHead(voice: Voice, card: CardData): { title: string; description: string } {
  const author = card.author.name ?? voice.messages.unknownAuthor;
  const text = card.quote.text.replace(/\s+/g, " ");
  return {
    title: `${author}: ${shorten(text, TITLE_LENGTH)}`,
    description: shorten(text, DESCRIPTION_LENGTH),
  };
}

/** Cuts at a blank where there is one, never within a letter and its marks. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length).replace(/\P{M}\p{M}*$/u, "");
  const words = cut.replace(/\s+\S*$/, "");
  return `${(words === "" ? cut : words).trimEnd()}…`;
}
