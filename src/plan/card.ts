/**
 * What a card shows. One list makes both the cache key of a card and the type of its data (`CardData` of
 * src/site/cards.ts): a field that is not in the key does not exist in the type.
 */
import { hash } from "node:crypto";
import type { Quote } from "../contract/quote.ts";
import { shorten } from "../util/text.ts";

/** The fields of a quote that a card, and a link to the quote, have unchanged. */
const QUOTE_FIELDS = ["id", "text", "language"] as const satisfies readonly (keyof Quote)[];

/** A quote as pages may show it: its likes are rounded, and its address of a picture never leaves the site's data. */
export type ShownQuote = Readonly<Pick<Quote, (typeof QUOTE_FIELDS)[number]>>;

export function shownQuote(quote: Quote): ShownQuote {
  const shown: Record<string, unknown> = {};
  for (const field of QUOTE_FIELDS) shown[field] = quote[field];
  return shown as ShownQuote;
}

/** Digest of what pages may show of a quote. */
export function quoteKey(quote: ShownQuote): string {
  // Upstream text holds no control characters, so the separators here are unambiguous.
  return digest(QUOTE_FIELDS.map((field) => quote[field]).join("\0"));
}

/** First characters of a text that a link to a quote shows, in UTF-16 units: an edit behind them changes no other page. */
const LINK_LENGTH = 64;

/** A quote as a link on another page shows it. */
export function linkedQuote(quote: ShownQuote): ShownQuote {
  return { ...quote, text: shorten(quote.text, LINK_LENGTH) };
}

/** What the plan knows of a card. */
interface CardDraft {
  readonly quoteKey: string;
  /** Digest of what a link shows of the quote itself. */
  readonly linkedKey: string;
  readonly likes: number;
  /** The author first, then the tags; a name may have no listing. */
  readonly names: readonly { readonly name: string | null; readonly listing?: object }[];
  /** The listings of these names, each once. */
  readonly named: readonly { readonly label: string }[];
  /** Null where the site does not correct the quote. */
  readonly servedKey: string | null;
  /** Where it stands in print, on one line. */
  readonly source: string | null;
  /** Identifies the picture. */
  readonly picture: string | null;
  /** Number of the page of the author's listing that the permalink leads to; null for a page of its own. */
  readonly authorPage: number | null;
}

/** Every field of a card, with what the key digests of it. Its id and its language follow from the quote. */
const CARD_FIELDS = {
  quote: ({ quoteKey }) => quoteKey,
  /** A quote without a page of its own has its place in its author's listing. */
  permalink: ({ authorPage }) => authorPage,
  likes: ({ likes }) => shownLikes(likes),
  author: ({ named: [author] }) => author?.label,
  tags: ({ named: [, ...tags] }) => tags.map(({ label }) => label).join("\0"),
  plainTags: ({ names }) =>
    names.flatMap(({ listing, name }) => (listing === undefined ? (name ?? "") : [])).join("\0"),
  source: ({ source }) => source,
  corrected: ({ servedKey }) => Number(servedKey !== null),
  picture: ({ picture }) => picture,
} as const satisfies Record<string, (quote: CardDraft) => string | number | null | undefined>;

export type CardField = keyof typeof CARD_FIELDS;

/** The fields of a link to a quote, on the page of another. */
export const LINK_FIELDS = ["quote", "permalink", "author"] as const satisfies readonly CardField[];

export type LinkField = (typeof LINK_FIELDS)[number];

const ALL = Object.values(CARD_FIELDS);

/** Digest of everything that a card shows. */
export function cardKey(quote: CardDraft): string {
  return digest(ALL.map((shownOf) => shownOf(quote)).join("\u0002"));
}

/** Everything that a link to a quote shows. */
export function linkKey(quote: CardDraft): string {
  const [, ...others] = LINK_FIELDS;
  return [quote.linkedKey, ...others.map((field) => CARD_FIELDS[field](quote))].join("\u0002");
}

/** 132 bits of SHA-256 in base64url: enough that not even crafted quotes collide. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}

/**
 * Likes as cards show them: exact below 100, cut to two significant figures above (1,234 is 1,200). Exact numbers would
 * change most pages every night.
 */
export function shownLikes(likes: number): number {
  const size = Math.abs(likes);
  if (size < 100) return likes;
  // Counts the digits: the logarithm of 1,000 may come out just below 3.
  const step = 10 ** (String(size).length - 2);
  return Math.trunc(likes / step) * step;
}
