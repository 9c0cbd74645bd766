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

/** Words before a language. */
const LANGUAGE_HINTS = ["lang", "language"];

/** Characters that mean something else in a pattern. */
const OF_PATTERNS = /[\\^$.*+?()[\]{}|/]/gu;

/** A language of the site, and what a reader may call it. */
export interface NamedLanguage {
  readonly slug: string;
  readonly names: readonly string[];
}

export interface Typed {
  /** What is searched. */
  readonly text: string;
  /** The names that are meant; undefined for all. */
  readonly kind: Kind | undefined;
  /** Slugs of the languages that are meant; none for all. */
  readonly languages: readonly string[];
}

/**
 * Reads a text without its markup and hints. A text that has nothing else is searched as it is.
 *
 * @param own the page's own words for an author, a tag and a language
 */
export function readTyped(
  typed: string,
  own: Readonly<Record<Kind | "language", string>>,
  languages: readonly NamedLanguage[],
): Typed {
  const hints = new Map([
    ...HINTS,
    [own.author.toLowerCase(), "author"] as const,
    [own.tag.toLowerCase(), "tag"] as const,
  ]);
  // What is left of a word that was cut is another word.
  const whole =
    typed.length < LONGEST_QUERY ? typed : typed.slice(0, LONGEST_QUERY).replace(/\s\S*$/u, "");
  const slugs = new Set<string>();
  const kinds = new Set<Kind>();
  const unmarked = whole.replace(MARKUP, " ");
  const ofLanguage = languageHint(own.language, languages);
  const ofAny = unmarked.replace(ofLanguage, (_, name: string) => {
    for (const { slug, names } of languages) if (names.some(isSame(name))) slugs.add(slug);
    return "";
  });
  const plain = ofAny.replace(HINT, (hint, word: string) => {
    const kind = hints.get(word.toLowerCase());
    if (kind !== undefined) kinds.add(kind);
    return kind === undefined ? hint : "";
  });
  const [kind] = kinds.size === 1 ? kinds : [];
  const isSearched = LETTER.test(plain) || slugs.size > 0;
  return { text: (isSearched ? plain : whole).trim(), kind, languages: [...slugs] };
}

const isSame =
  (a: string) =>
  (b: string): boolean =>
    a.toLowerCase() === b.toLowerCase();

/** A language after a word for it. What follows may be no language, as in a quote: it is searched then. */
function languageHint(own: string, languages: readonly NamedLanguage[]): RegExp {
  const anyOf = (words: readonly string[]): string =>
    words
      .toSorted((a, b) => b.length - a.length)
      .map((word) => word.replace(OF_PATTERNS, "\\$&"))
      .join("|");
  const names = anyOf(languages.flatMap((language) => language.names));
  // Without a name nothing matches.
  return new RegExp(
    `(?<!\\S)(?:${anyOf([...LANGUAGE_HINTS, own])}):\\s*(${names || "(?!)"})(?!\\S)`,
    "giu",
  );
}

/** A query as a message shows it: between the quotation marks of the message it has none of its own. */
export const shownQuery = (text: string): string => text.replace(MARKS, "").trim() || text;
