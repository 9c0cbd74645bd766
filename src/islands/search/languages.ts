/** In which languages a query is looked for, and in which order. */
import { Search, type Answer } from "./find.ts";
import type { Query } from "./query.ts";

export interface SearchLanguage {
  /** As in addresses, and the folder of its bundle. */
  readonly slug: string;
  /** BCP 47. */
  readonly tag: string;
}

/** What a query finds in one language. */
export interface LanguageAnswers {
  readonly language: SearchLanguage;
  readonly search: Search;
  /** The first ones, best first. */
  readonly answers: readonly Answer[];
}

/** Most languages searched for one query: each costs some 100 kB when it is searched for the first time. */
const MOST = 4;

/**
 * The languages that are written in the letters of the query: the reader's before the others, large ones before small.
 *
 * @param languages of the site, largest first
 * @param preferred BCP 47 tags of the reader's languages, best first
 */
export function languagesFor(
  text: string,
  languages: readonly SearchLanguage[],
  preferred: readonly string[],
): SearchLanguage[] {
  const readers = preferred.map(primary);
  const rank = ({ tag }: SearchLanguage): number => {
    const at = readers.indexOf(primary(tag));
    return at < 0 ? readers.length : at;
  };
  const written = languages.filter(({ tag }) => lettersOf(tag).test(text));
  return (written.length > 0 ? written : [...languages])
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST);
}

/** Searches one language after the other, and gives those that have answers. */
export async function* searchIn(
  languages: readonly SearchLanguage[],
  query: Query,
  folder: string,
): AsyncGenerator<LanguageAnswers, void, undefined> {
  for (const language of languages) {
    const search = new Search(query, language.tag, `${folder}${language.slug}/`);
    const answers = await search.next();
    if (answers.length > 0) yield { language, search, answers };
  }
}

const primary = (tag: string): string => tag.toLowerCase().split("-", 1)[0] ?? "";

/** Scripts that Unicode does not name as ISO 15924 does, since several are written together. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  Hans: ["Hani"],
  Hant: ["Hani"],
  Jpan: ["Hani", "Hira", "Kana"],
  Kore: ["Hang", "Hani"],
};

/** A pattern of the letters that a language is written in. */
function lettersOf(tag: string): RegExp {
  const script = new Intl.Locale(tag).maximize().script ?? "Latn";
  const names = (TOGETHER[script] ?? [script]).map((name) => `\\p{Script=${name}}`);
  return new RegExp(`[${names.join("")}]`, "u");
}
