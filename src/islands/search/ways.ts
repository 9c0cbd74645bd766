/** What the index is asked for, one way after the other: pairs of words that follow each other, then the words alone. */
import {
  CURATED_WORD,
  indexedWord,
  languageWord,
  pairsFor,
  pairsOf,
  tagWord,
} from "../../contract/search-words.ts";
import { commonWords } from "./pagefind.ts";
import { readQuery, type Query } from "./query.ts";

/** Words of a phrase; fewer are rather a name, or words that need not stand together. */
const PHRASE = 4;

/** Words that must all be there, rarest first. */
export type Way = () => Promise<readonly string[]>;

/** @param folder address of the index */
export function waysTo({ text, language, tag, curated }: Query, folder: string): Way[] {
  const { words } = readQuery(text);
  const filters = [
    ...(language === "" ? [] : [languageWord(language)]),
    ...(tag === "" ? [] : [tagWord(tag)]),
    ...(curated ? [CURATED_WORD] : []),
  ];
  const pairs = words.length < PHRASE ? pairsOf(words) : pairsFor(words);
  const byPairs: Way = () => Promise.resolve([...pairs, ...filters]);
  const byWords: Way = async () => {
    const common = await commonWords(folder);
    const rank = (word: string): number => common.get(word) ?? common.size + word.length;
    const rarest = [...new Set(words.map(indexedWord))].sort((a, b) => rank(b) - rank(a));
    return [...rarest, ...filters];
  };
  return [
    ...(pairs.length === 0 ? [] : [byPairs]),
    ...(words.length + filters.length === 0 ? [] : [byWords]),
  ];
}
