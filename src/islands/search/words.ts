/** Which languages have the words of a query, by the list of words: no index is loaded for a language that cannot answer. */
import { chunksFor, type ListedSpelling } from "../../contract/search-lists.ts";
import { lookedUpWords, type ListedWord, searchedWords } from "../../util/fold.ts";
import { getOrCompute } from "../../util/get-or-compute.ts";
import { listIndex, loadList } from "./lists.ts";
import { distance, errorsOf } from "./names.ts";
import { RANKS, SHARED, sharesBeginning, type Rank } from "./ranking.ts";

/** Words of a query that are looked up: the longest, since few languages have them. Each may load another file. */
const LOOKED_UP = 2;

/** Other queries that are offered. */
const MOST_SIMILAR = 3;

/** Spellings of a word that are searched in a language. */
const MOST_SPELLINGS = 3;

interface Spelling {
  readonly spelling: string;
  /** By slug of a language: the words of its index that have the spelling inside, where it is not a word itself. */
  readonly slugs: ReadonlyMap<string, readonly string[]>;
}

/** Spellings by key. */
type Words = ReadonlyMap<string, readonly Spelling[]>;

export interface Standing {
  /** The best rank in which a language may have the words; `similar` where it has none. */
  readonly rank: Rank;
  /** By key of a word: the spellings of it that the language has, the typed one first. Its index takes each for another word. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
}

/** What the list knows of the words of a query. */
export type LookedUp = Awaited<ReturnType<typeof lookUpWords>>;

/**
 * Looks up the words of a query.
 *
 * @param folder address of the index
 * @returns `standingOf`: of a language by its slug; `similar`: words that differ by a letter or two, where no language has a word
 * @throws {Error} when the list cannot be loaded
 */
export async function lookUpWords(text: string, folder: string) {
  const index = await listIndex(folder);
  const all = lookedUpWords(text);
  const last = all.at(-1)?.key;
  const looked = [...new Map(all.map((word) => [word.key, word])).values()]
    .sort((a, b) => b.key.length - a.key.length)
    .slice(0, LOOKED_UP);
  const files = new Set(looked.flatMap(({ key }) => chunksFor(index.words, key)));
  const read = Array.from(files, (file) => loadList(folder, file, readWords));
  const words: Words = new Map((await Promise.all(read)).flatMap((chunk) => [...chunk]));
  const rows = looked.map((word) => ({ word, forms: formsOf(word, words, word.key === last) }));

  return {
    standingOf: (slug: string): Standing => {
      const spellings = new Map<string, readonly string[]>();
      const ranks = rows.map(({ word, forms }): Rank => {
        const own = (words.get(word.key) ?? []).filter(({ slugs }) => slugs.has(slug));
        const exact = own.filter(({ spelling }) => spelling === word.spelling);
        if (own.length > 0) {
          const searched = [...exact, ...own].flatMap(({ spelling, slugs }) => {
            const inside = slugs.get(slug) ?? [];
            return inside.length > 0 ? inside : [spelling];
          });
          spellings.set(word.key, distinct(searched));
        }
        if (exact.length > 0) return "exact";
        if (own.length > 0) return "folded";
        return forms.has(slug) || !index.languages.includes(slug) ? "stem" : "similar";
      });
      const rank = ranks.reduce<Rank>(
        (a, b) => (RANKS[a].points <= RANKS[b].points ? a : b),
        "exact",
      );
      return { rank, spellings };
    },
    /** Whether the list has every word of the query. */
    isWhole: looked.length === new Set(all.map(({ key }) => key)).size,
    /** Number of words that were looked up; 0 for a query without letters. */
    words: looked.length,
    /** @param others keys of words for which none is offered */
    similar: (others: ReadonlySet<string>): string[] =>
      similarQueries(
        text,
        looked.filter(({ key }) => !others.has(key)),
        words,
      ),
  };
}

function readWords(json: unknown): Words {
  const words = new Map<string, Spelling[]>();
  for (const row of json as ListedSpelling[]) {
    const [spelling = "", slugs = ""] = row.split(" ");
    const key = searchedWords(spelling).join("");
    const known = getOrCompute(words, key, (): Spelling[] => []);
    const own = new Map<string, string[]>();
    for (const entry of slugs.split(",")) {
      const [slug = "", compound] = entry.split(":");
      getOrCompute(own, slug, (): string[] => []).push(
        ...(compound === undefined ? [] : [compound]),
      );
    }
    known.push({ spelling, slugs: own });
  }
  return words;
}

/** Spellings that differ by more than accents, which the index drops itself. */
function distinct(spellings: readonly string[]): string[] {
  const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");
  const known = new Map(spellings.toReversed().map((spelling) => [plain(spelling), spelling]));
  return [...known.values()].reverse().slice(0, MOST_SPELLINGS);
}

/** The languages with a word that may be a form of another: it begins with it, or shares its beginning. */
function formsOf({ key }: ListedWord, words: Words, isLast: boolean): Set<string> {
  const slugs = new Set<string>();
  for (const [other, spellings] of words) {
    if (!sharesBeginning(other, key, SHARED.asked) && !(isLast && other.startsWith(key))) continue;
    for (const { slugs: own } of spellings) for (const slug of own.keys()) slugs.add(slug);
  }
  return slugs;
}

/** The query with other words in the place of those that no language has: the nearest first, then those of more languages. */
function similarQueries(text: string, looked: readonly ListedWord[], words: Words): string[] {
  const unknown = looked.find(({ key }) => !words.has(key));
  if (unknown === undefined) return [];
  const { key, spelling } = unknown;
  const near = [...words].flatMap(([other, spellings]) => {
    if (Math.abs(other.length - key.length) > errorsOf(key)) return [];
    const errors = distance(key, other);
    return errors > errorsOf(key) ? [] : spellings.map((one) => ({ errors, ...one }));
  });
  near.sort((a, b) => a.errors - b.errors || b.slugs.size - a.slugs.size);
  const query = text.normalize("NFC").toLowerCase();
  return near.slice(0, MOST_SIMILAR).map((one) => query.replace(spelling, one.spelling));
}
