/** Chooses the languages that are searched for a query, and their order. */
import type { Query } from "./query.ts";
import { MOST_STEMS, RANKS } from "./ranking.ts";
import type { LookedUp, Standing } from "./words.ts";

/** Languages that are searched at most where each has the words, and it is unknown whether a quote has all of them. */
const MOST_SEARCHED = 6;

export interface SearchLanguage {
  /** Slug in addresses, and name of its bundle's folder. */
  readonly slug: string;
  /** BCP 47. */
  readonly tag: string;
}

/** A language, and how it stands to the words of the query; undefined where that is unknown. */
export interface Ranked {
  readonly language: SearchLanguage;
  readonly standing: Standing | undefined;
}

/**
 * The languages that may answer, by `RANKS`, and of one rank in their order.
 *
 * @param ordered as `inOrder()` gives them
 * @param words undefined where the list of words could not be loaded
 */
export function languagesAsked(
  query: Query,
  ordered: readonly SearchLanguage[],
  words: LookedUp | undefined,
): Ranked[] {
  // There may be no word yet, as in a quotation mark.
  if (words?.words === 0) return [];
  if (words === undefined) {
    const few = query.text === "" ? ordered : inScript(query.text, ordered);
    return few
      .slice(0, query.text === "" ? Infinity : MOST_SEARCHED)
      .map((language) => ({ language, standing: undefined }));
  }
  const ranked = ordered.map((language) => {
    return { language, standing: words.standingOf(language.slug) };
  });
  const having = ranked.filter(({ standing }) => isHaving(standing));
  const forms = ranked.filter(({ standing }) => standing.rank === "stem").slice(0, MOST_STEMS);
  // The sort is stable.
  having.sort((a, b) => RANKS[b.standing.rank].points - RANKS[a.standing.rank].points);
  return [...having.slice(0, words.words === 1 ? Infinity : MOST_SEARCHED), ...forms];
}

/** Whether a language has the words themselves, and not only forms of them. */
export const isHaving = ({ rank }: Standing): boolean => RANKS[rank].points > RANKS.stem.points;

/**
 * Orders the languages for answers of one rank: that of the page, the reader's, large ones before small ones.
 *
 * @param languages languages of the site, largest first
 * @param preferred BCP 47 tags: of the page, then of the reader's languages, best first
 */
export function inOrder(
  languages: readonly SearchLanguage[],
  preferred: readonly string[],
): SearchLanguage[] {
  const readers = preferred.map(primary);
  const rank = ({ tag }: SearchLanguage): number => {
    const at = readers.indexOf(primary(tag));
    return at < 0 ? readers.length : at;
  };
  return [...languages].sort((a, b) => rank(a) - rank(b));
}

/** The languages whose script a text has, where the list of words cannot tell; all for a text without letters. */
export function inScript(
  text: string,
  languages: readonly SearchLanguage[],
): readonly SearchLanguage[] {
  const written = languages.filter((language) => lettersOf(language.tag).test(text));
  return written.length > 0 ? written : languages;
}

const primary = (tag: string): string => tag.toLowerCase().split("-", 1)[0] ?? "";

/** ISO 15924 codes that combine scripts of Unicode. */
const SCRIPT_PARTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ["Hani"],
  Hant: ["Hani"],
  Jpan: ["Hani", "Hira", "Kana"],
  Kore: ["Hang", "Hani"],
};

/** A pattern of the letters of a language's script. */
function lettersOf(tag: string): RegExp {
  const script = new Intl.Locale(tag).maximize().script ?? "Latn";
  const names = (SCRIPT_PARTS[script] ?? [script]).map((name) => `\\p{Script=${name}}`);
  try {
    return new RegExp(`[${names.join("")}]`, "u");
  } catch (error) {
    // Unicode does not have every script of ISO 15924, such as that of `de-Latf`.
    if (error instanceof SyntaxError) return /\p{L}/u;
    throw error;
  }
}
