/** One quote, as a card shows it. */
import type { Language } from "../../contract/languages.ts";
import type { Picture } from "../../contract/picture.ts";
import type { Quote } from "../../contract/quote.ts";
import type { TermLink } from "./terms.ts";

/** Whom a quote is attributed to; the name is null where nobody is named, and the slug then `unknown`. */
export interface Attribution {
  readonly name: string | null;
  readonly slug: string;
}

export interface CardData {
  /** Over all that a card shows: equal digests, equal cards. Reading it costs nothing, also where the rest is not read yet. */
  readonly digest: string;
  readonly quote: Quote;
  /**
   * Path of the quote's own link: its own page, or its place in its author's listing where it has none.
   */
  readonly permalink: string;
  /**
   * Likes as a reader sees them: below 100 exact, above cut to two significant figures (1,234 is 1,200). A page is made
   * again only when a shown figure changes, so show this one and not `quote.likes`.
   */
  readonly likes: number;
  readonly language: Language;
  readonly author: Attribution;
  readonly tags: readonly TermLink[];
  /** Tags with too few quotes for a listing: shown, and no link. */
  readonly plainTags: readonly string[];
  readonly picture: Picture | null;
}
