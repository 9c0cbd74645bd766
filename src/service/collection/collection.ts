/**
 * The built-in collection of the embedded service: sayings in English, and articles of the Universal Declaration in 14
 * languages.
 *
 * The texts come from npm packages; likes, curated marks and pictures are derived from them, so it is always the same.
 */
import { deriveCurated, deriveLikes, hash32, TILES, type StoredQuote } from "../quote.ts";
import { readArticles, TRANSLATIONS, type CollectionLanguage } from "./declaration.ts";
import { readEnglishSayings } from "./english.ts";
import { ARTICLES, findTags } from "./themes.ts";

type Draft = Pick<StoredQuote, "quote" | "author" | "tags" | "language">;

/** All quotes, with pks from 1. */
export function embeddedCollection(): StoredQuote[] {
  const drafts = [...draftSayings(), ...draftArticles()];
  const pictures = assignPictures(drafts);
  return drafts.map((draft, index) => ({
    ...draft,
    pk: index + 1,
    likes: deriveLikes(draft.quote),
    curated: deriveCurated(draft.quote),
    image: pictures.get(index) ?? null,
  }));
}

function draftSayings(): Draft[] {
  return readEnglishSayings().map(({ quote, author }) => ({
    quote,
    author,
    tags: findTags(quote, author),
    language: "en",
  }));
}

function draftArticles(): Draft[] {
  return (Object.keys(TRANSLATIONS) as CollectionLanguage[]).flatMap((language) => {
    const all = readArticles(language);
    return Array.from(ARTICLES, ([number, tags]) => ({
      quote: all[number - 1] ?? "",
      author: TRANSLATIONS[language][1],
      tags,
      language,
    }));
  });
}

/** Assigns each picture to one English saying, by hash; by index in `drafts`. */
function assignPictures(drafts: readonly Draft[]): Map<number, string> {
  const byHash = drafts
    .map(({ quote, author, language }, index) => ({ index, author, language, hash: hash32(quote) }))
    .filter(({ author, language }) => author !== null && language === "en")
    .sort((a, b) => a.hash - b.hash);
  return new Map(TILES.map((path, tile) => [byHash[tile]?.index ?? 0, path]));
}
