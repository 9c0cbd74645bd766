/** What of a typed text is searched: it may be cut, or have markup, or hints such as `author:`. */
import { MARKS } from "./query.ts";

/** UTF-16 units of a query at most, which is also the `maxlength` of the field. An address may have more. */
export const LONGEST_QUERY = 300;

/** A tag of HTML. */
const MARKUP = /<[/!]?\p{L}[^<>]*>/gu;

/** A word and a colon before what is searched. */
const HINT = /(?<!\S)([\p{L}\p{M}]+):\s*(?=["“”„«»『「]?[\p{L}\p{N}])/gu;

const LETTER = /[\p{L}\p{N}]/u;

type Kind = "author" | "tag";

/** Words that say which names are meant, on pages in all languages. */
const HINTS: readonly (readonly [string, Kind])[] = [
  ["author", "author"],
  ["by", "author"],
  ["tag", "tag"],
];

export interface Typed {
  /** What is searched. */
  readonly text: string;
  /** The names that are meant; undefined for all. */
  readonly kind: Kind | undefined;
}

/**
 * Reads a text without its markup and hints. A text that has nothing else is searched as it is.
 *
 * @param own the page's own words for an author and a tag
 */
export function readTyped(typed: string, own: Readonly<Record<Kind, string>>): Typed {
  const hints = new Map([
    ...HINTS,
    [own.author.toLowerCase(), "author"] as const,
    [own.tag.toLowerCase(), "tag"] as const,
  ]);
  // What is left of a word that was cut is another word.
  const whole =
    typed.length < LONGEST_QUERY ? typed : typed.slice(0, LONGEST_QUERY).replace(/\s\S*$/u, "");
  const kinds = new Set<Kind>();
  const plain = whole.replace(MARKUP, " ").replace(HINT, (hint, word: string) => {
    const kind = hints.get(word.toLowerCase());
    if (kind !== undefined) kinds.add(kind);
    return kind === undefined ? hint : "";
  });
  const [kind] = kinds.size === 1 ? kinds : [];
  return { text: (LETTER.test(plain) ? plain : whole).trim(), kind };
}

/** A query as a message shows it: between the quotation marks of the message it has none of its own. */
export const shownQuery = (text: string): string => text.replace(MARKS, "").trim() || text;
