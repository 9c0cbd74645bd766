/**
 * The collection that the embedded service comes with: sayings in English, and a few lines of one text in 14 languages.
 *
 * It is the text of npm packages; likes, curated flags and pictures follow from the words, so it is always the same.
 */
import { hash32 } from "../hash.ts";
import { derivedCurated, derivedLikes, TILES, type HeldQuote } from "../quote.ts";
import { articlesIn, TRANSLATIONS, type CollectionLanguage } from "./declaration.ts";
import { englishSayings } from "./english.ts";
import { ARTICLES, tagsOf } from "./themes.ts";

type Draft = Pick<HeldQuote, "quote" | "author" | "tags" | "language">;

/** Every quote, with pks from 1. */
export function embeddedCollection(): HeldQuote[] {
  const drafts = [...sayings(), ...articles()];
  const pictured = picturedSayings(drafts);
  return drafts.map((draft, index) => ({
    ...draft,
    pk: index + 1,
    likes: derivedLikes(draft.quote),
    curated: derivedCurated(draft.quote),
    image: pictured.get(index) ?? null,
  }));
}

function sayings(): Draft[] {
  return englishSayings().map(({ quote, author }) => ({
    quote,
    author,
    tags: tagsOf(quote, author),
    language: "en",
  }));
}

function articles(): Draft[] {
  return (Object.keys(TRANSLATIONS) as CollectionLanguage[]).flatMap((language) => {
    const all = articlesIn(language);
    return Array.from(ARTICLES, ([number, tags]) => ({
      quote: all[number - 1] ?? "",
      author: TRANSLATIONS[language].title,
      tags,
      language,
    }));
  });
}

/** A picture each to as many English sayings as there are pictures; the hash decides which. */
function picturedSayings(drafts: readonly Draft[]): Map<number, string> {
  const byHash = drafts
    .map(({ quote, author, language }, index) => ({ index, author, language, hash: hash32(quote) }))
    .filter(({ author, language }) => author !== null && language === "en")
    .sort((a, b) => a.hash - b.hash);
  return new Map(TILES.map((path, tile) => [byHash[tile]?.index ?? 0, path]));
}
