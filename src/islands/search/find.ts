/**
 * Searches one language, a few pages at a time: documents of the index, or the pages of a listing for a query without words.
 *
 * Each word of an index query loads a part of the index, some 35 kB in a large language, and each document takes 8 kB.
 * So the query begins with the longest words and gets one more word while it matches too many pages. Pages where the words
 * are close together are read first.
 */
import type { SearchLanguage } from "./languages-asked.ts";
import { listedPages } from "./listed.ts";
import { cardsOf, type IndexedCard, openEngine, type Engine, type PageHit } from "./pagefind.ts";
import { searchedWords } from "../../util/fold.ts";
import { bare, lackedBy, scoreOf, termsOf, type Query, type Term } from "./query.ts";
import { isCertain } from "./ranking.ts";

/** With this many pages or fewer, no word is added: the pages take less than another part of the index. */
const FEW_PAGES = 6;

/** Words of an index query at most; more of them where many pages have the phrase. The other words only affect the score. */
const MAX_WORDS = { default: 3, phrase: 5 };

/** Pages that are read at most for the next answers. */
const MAX_PAGES = 16;

/** Answers after which no more pages are read for now. */
export const ENOUGH = 10;

export interface Answer {
  readonly card: IndexedCard;
  /** By the tables of `ranking.ts`; higher is better. */
  readonly score: number;
}

/** A search for a query in one language. */
export type Search = ReturnType<typeof openSearch>;

/**
 * @param folder address of the folder with the bundle of each language
 * @param spellings by folded word: how the language spells it, where the index does not find it as it was typed
 */
export function openSearch(
  query: Query,
  language: SearchLanguage,
  folder: string,
  spellings: ReadonlyMap<string, readonly string[]> = new Map(),
) {
  let queried: readonly Term[] = [];
  /** The other terms, as long as no answer has them. */
  let lacking: readonly Term[] = [];
  const stems = new Set<Term>();
  /** The spellings of a term that are searched: those of the language, or what was typed. */
  const spelled = ({ word }: Term): readonly string[] =>
    spellings.get(searchedWords(word).join("")) ?? [bare(word)];

  /** Finds the terms whose stem the language has: in quotation marks, Pagefind finds no word that only begins alike. */
  async function findStems(engine: Engine): Promise<void> {
    for (const term of queried) {
      const { results } = await engine.search(`"${spelled(term)[0] ?? ""}"`);
      if (results.length > 0) stems.add(term);
    }
  }

  /** Finds the pages with all terms and the words of a tag, in any of their spellings. */
  async function findAll(engine: Engine, tag: readonly Term[]): Promise<readonly PageHit[]> {
    const variants = Math.max(1, ...queried.map((term) => spelled(term).length));
    const pages = new Map<string, PageHit>();
    for (let variant = 0; variant < variants; variant++) {
      const words = queried.map((term) => spelled(term)[variant] ?? spelled(term)[0]);
      const query = [...words, ...tag.map(({ word }) => word)].join(" ");
      for (const page of (await engine.search(query)).results) {
        const places = [...(pages.get(page.id)?.words ?? []), ...page.words];
        const words = [...new Set(places)].sort((a, b) => a - b);
        pages.set(page.id, { id: page.id, words, data: () => page.data() });
      }
    }
    return [...pages.values()];
  }

  /** Ids of the pages that have the terms as they follow each other in the query, and not words that only begin with them. */
  async function findPhrase(engine: Engine): Promise<ReadonlySet<string>> {
    const terms = queried.toSorted((a, b) => a.at - b.at);
    const [first] = terms;
    if (terms.length < 2 || terms.some(({ at }, index) => at !== (first?.at ?? 0) + index))
      return new Set();
    const phrase = terms.map((term) => spelled(term)[0]).join(" ");
    return new Set((await engine.search(`"${phrase}"`)).results.map(({ id }) => id));
  }

  /** Each reads the cards of a page of the index, or of the listing. */
  let pages: (() => Promise<readonly IndexedCard[]>)[] | undefined;

  async function findPages(): Promise<NonNullable<typeof pages>> {
    const terms = termsOf(query.text, language.tag);
    const tag = termsOf(query.tag, language.tag);
    // The query has quotation marks only, and no word yet.
    if (terms.length === 0 && query.text !== "") return [];
    if (terms.length + tag.length === 0) return listedPages(folder, language.slug);
    const engine = await openEngine(folder, language);
    for (let count = Math.min(2, terms.length); ; count++) {
      queried = terms.slice(0, count);
      const results = await findAll(engine, tag);
      const ranked = results.map((page) => ({ page, span: spanOf(page.words, queried) }));
      const adjacent = ranked.filter(({ span }) => span === 0).length;
      const isFew = results.length <= FEW_PAGES || (adjacent > 0 && adjacent <= FEW_PAGES);
      const max = adjacent > FEW_PAGES ? MAX_WORDS.phrase : MAX_WORDS.default;
      if (isFew || count >= Math.min(max, terms.length)) {
        lacking = terms.slice(count);
        if (results.length > 0) await findStems(engine);
        const phrases = results.length > FEW_PAGES ? await findPhrase(engine) : new Set();
        const orderOf = ({ page, span }: (typeof ranked)[number]): number =>
          phrases.has(page.id) ? -1 : span;
        ranked.sort((a, b) => orderOf(a) - orderOf(b));
        return ranked.map(({ page }) => reader(page));
      }
    }
  }

  return {
    language,
    /** Whether there may be more answers. */
    get more(): boolean {
      return pages === undefined || pages.length > 0;
    },
    /** Words of the query that no answer so far has: the index is asked for the longest alone. */
    get lacking(): readonly string[] {
      return lacking.map(({ word }) => word);
    },
    /** Reads the next answers, best first. There may be none although `more` is true. */
    async next(): Promise<Answer[]> {
      pages ??= await findPages();
      const found: Answer[] = [];
      let certain = false;
      for (let read = 0; read < MAX_PAGES && found.length < ENOUGH && !certain;) {
        const some = pages.splice(0, Math.min(read + 1, MAX_PAGES - read));
        if (some.length === 0) break;
        read += some.length;
        for (const card of (await Promise.all(some.map((page) => page()))).flat()) {
          // Most cards of a page have none of the words, and folding the text of a card takes long.
          if (queried.length > 0 && card.found.length === 0) continue;
          const score = scoreOf(query, queried, stems, card);
          if (score > 0) {
            found.push({ card, score });
            lacking = lackedBy(card, lacking);
          }
          certain ||= isCertain(score);
        }
      }
      // Equal scores are in the order of the listing, most liked first.
      return found.sort((a, b) => b.score - a.score || a.card.rank - b.card.rank);
    },
  };
}

const reader = (page: PageHit) => async () => cardsOf(await page.data(), page.words);

/**
 * Measures how close together the terms are in a page: 0 where they are adjacent as in the query, otherwise the length of the
 * shortest range with as many found words.
 */
function spanOf(places: readonly number[], terms: readonly Term[]): number {
  const found = new Set(places);
  const [first] = terms;
  if (first === undefined || terms.length === 1) return 0;
  const follows = (place: number) => terms.every(({ at }) => found.has(place + at - first.at));
  if (places.some(follows)) return 0;
  const reach = terms.length - 1;
  return Math.min(
    ...places.slice(reach).map((place, index) => place - (places[index] ?? place)),
    Number.MAX_SAFE_INTEGER,
  );
}
