/**
 * Answers a query in one language, a few listing pages at a time, and chooses the languages to ask.
 *
 * What is asked of the index costs a part of it for each word, some 35 kB in a large language, and each page read 8 kB.
 * So the longest words are asked for, one more while too many pages are left, and pages where they are near to each other
 * are read first.
 */
import { cardsOf, type IndexedCard, openEngine, type Engine, type PageHit } from "./pagefind.ts";
import { scoreOf, termsOf, type Query, type Term } from "./query.ts";

/** So few pages are read without asking for more words: together they weigh less than a part of the index. */
const FEW = 6;

/** Words that the index is asked for; the others count when answers are sorted. More where many pages hold the phrase. */
const WORDS = { enough: 3, most: 5 };

/** Most pages read for the next answers. */
const MOST_PAGES = 16;

/** Answers that are enough for now. */
export const ENOUGH = 10;

/** Below it the words may be mere look-alikes, as of another language. */
export const SURE = 1.75;

/** A score from which on a single answer is enough: the very words, or the very name. */
const CERTAIN = 5;

export interface Answer {
  readonly card: IndexedCard;
  /** Higher is better: from `SURE` on the very words were found, or forms of them. */
  readonly score: number;
}

/** The search for a query in one language. */
export type Search = ReturnType<typeof openSearch>;

/** @param folder address of the bundles of all languages */
export function openSearch(query: Query, language: SearchLanguage, folder: string) {
  let asked: readonly Term[] = [];
  let pages: PageHit[] | undefined;

  async function ask(engine: Engine): Promise<PageHit[]> {
    const terms = termsOf(query.text, language.tag);
    const tag = termsOf(query.tag, language.tag);
    // Quotation marks, with a word still to come.
    if (terms.length === 0 && query.text !== "") return [];
    if (terms.length + tag.length === 0) {
      // Else they come as the file system lists them.
      return [...(await engine.search(null, { sort: { page: "asc" } })).results];
    }
    for (let many = Math.min(2, terms.length); ; many++) {
      asked = terms.slice(0, many);
      const words = [...asked, ...tag].map(({ word }) => word);
      const { results } = await engine.search(words.join(" "));
      const ranked = results.map((page) => ({ page, span: spanOf(page.words, asked) }));
      const adjacent = ranked.filter(({ span }) => span === 0).length;
      const few = results.length <= FEW || (adjacent > 0 && adjacent <= FEW);
      const most = adjacent > FEW ? WORDS.most : WORDS.enough;
      if (few || many >= Math.min(most, terms.length)) {
        return ranked.sort((a, b) => a.span - b.span).map(({ page }) => page);
      }
    }
  }

  return {
    language,
    /** Whether there may be more answers. */
    get more(): boolean {
      return pages === undefined || pages.length > 0;
    },
    /** The next answers, best first; none where the next pages have none. */
    async next(): Promise<Answer[]> {
      pages ??= await ask(await openEngine(`${folder}${language.slug}/`));
      const found: Answer[] = [];
      let certain = false;
      for (let read = 0; read < MOST_PAGES && found.length < ENOUGH && !certain;) {
        const some = pages.splice(0, Math.min(read + 1, MOST_PAGES - read));
        if (some.length === 0) break;
        read += some.length;
        const cards = some.map(async (page) => cardsOf(await page.data(), page.words));
        for (const card of (await Promise.all(cards)).flat()) {
          const score = scoreOf(query, asked, card);
          if (score > 0) found.push({ card, score });
          certain ||= score >= CERTAIN;
        }
      }
      // Sorting keeps equals in the order of the index and of the listing: most liked first.
      return found.sort((a, b) => b.score - a.score);
    },
  };
}

/**
 * How near to each other the terms are in a page: 0 where they follow each other as in the query, else the length of the
 * shortest stretch with as many found words.
 */
function spanOf(places: readonly number[], terms: readonly Term[]): number {
  const there = new Set(places);
  const [first] = terms;
  if (first === undefined || terms.length === 1) return 0;
  const follows = (place: number) => terms.every(({ at }) => there.has(place + at - first.at));
  if (places.some(follows)) return 0;
  const reach = terms.length - 1;
  return Math.min(
    ...places.slice(reach).map((place, index) => place - (places[index] ?? place)),
    Number.MAX_SAFE_INTEGER,
  );
}

export interface SearchLanguage {
  /** As in addresses, and the folder of its bundle. */
  readonly slug: string;
  /** BCP 47. */
  readonly tag: string;
}

/** Most languages searched for words: each costs some 100 kB when it is searched for the first time. */
const MOST = 4;

/**
 * The languages that are written in the letters of the query: the reader's before the others, large ones before small. A tag
 * without words may be in any of them.
 *
 * @param languages of the site, largest first
 * @param preferred BCP 47 tags of the reader's languages, best first
 */
export function languagesFor(
  { text, tag }: Pick<Query, "text" | "tag">,
  languages: readonly SearchLanguage[],
  preferred: readonly string[],
): SearchLanguage[] {
  const readers = preferred.map(primary);
  const rank = ({ tag }: SearchLanguage): number => {
    const at = readers.indexOf(primary(tag));
    return at < 0 ? readers.length : at;
  };
  const written = languages.filter((language) => lettersOf(language.tag).test(text));
  return (written.length > 0 ? written : [...languages])
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, text === "" && tag !== "" ? languages.length : MOST);
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
  try {
    return new RegExp(`[${names.join("")}]`, "u");
  } catch (error) {
    // Unicode has no name for some of the scripts that a code may name, such as `de-Latf`.
    if (error instanceof SyntaxError) return /\p{L}/u;
    throw error;
  }
}
