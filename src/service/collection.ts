/**
 * The built-in collection of the embedded service: English sayings, and articles of the Universal Declaration of Human
 * Rights in 14 languages.
 *
 * The texts come from npm packages. Likes, curated marks and pictures are derived from the texts, so every build has the
 * same collection.
 */
import { deriveCurated, deriveLikes, hash32, TILES, type StoredQuote } from "./quote.ts";
import {
  readArticles,
  TRANSLATIONS,
  type CollectionLanguage,
  readEnglishSayings,
} from "./texts.ts";

/** All quotes, with pks from 1. */
export function embeddedCollection(): StoredQuote[] {
  const sayings = readEnglishSayings().map(({ quote, author }) => {
    return { quote, author, language: "en", tags: findTags(quote, author) };
  });
  const languages = Object.keys(TRANSLATIONS) as CollectionLanguage[];
  const articles = languages.flatMap((language) => {
    const all = readArticles(language);
    const author = TRANSLATIONS[language][1];
    return Array.from(ARTICLES, ([number, tags]) => {
      return { quote: all[number - 1] ?? "", author, tags, language };
    });
  });
  const drafts = [...sayings, ...articles];
  // Each picture belongs to one English saying with an author, chosen by hash.
  const byHash = drafts
    .filter(({ author, language }) => author !== null && language === "en")
    .sort((a, b) => hash32(a.quote) - hash32(b.quote));
  const pictures = new Map(TILES.map((path, tile) => [byHash[tile], path]));
  return drafts.map((draft, index) => ({
    ...draft,
    pk: index + 1,
    likes: deriveLikes(draft.quote),
    curated: deriveCurated(draft.quote),
    image: pictures.get(draft) ?? null,
  }));
}

/** The articles that are short enough to be quotes, and their tags. */
const ARTICLES: ReadonlyMap<number, string[]> = new Map([
  [1, ["dignity", "equality", "freedom", "human-rights"]],
  [3, ["life", "freedom", "human-rights"]],
  [4, ["freedom", "human-rights"]],
  [5, ["dignity", "human-rights"]],
  [19, ["freedom", "truth", "ideas", "human-rights"]],
  [24, ["work", "time", "human-rights"]],
  [28, ["peace", "freedom", "human-rights"]],
]);

/** A saying gets each tag whose pattern matches its text in lower case. */
const WORDS: Readonly<Record<string, RegExp>> = {
  animals: /\b(?:birds?|cats?|dogs?|fish|frogs?|snakes?|turtles?|cows?|horses?|mouse|worms?|hen)\b/,
  art: /\b(?:art|artists?|paint\w*|music|poem|dance|dancing|writ(?:e|ing))\b/,
  business: /\b(?:business\w*|compan(?:y|ies)|customers?|entrepreneur\w*|market\w*|compet\w+)\b/,
  change: /\b(?:chang(?:e|es|ing)|transform)\b/,
  courage: /\b(?:courage|brave|dare|risks?|fears?|afraid|hero(?:es)?)\b/,
  dreams: /\b(?:dreams?|daydream|imagin\w+)\b/,
  education: /\b(?:educat\w+|learn\w*|teach\w*|school|books?|knowledge|lessons?)\b/,
  failure: /\b(?:fail\w*|mistakes?|defeat\w*|losers?)\b/,
  faith: /\b(?:god|gospel|soul|prayer|religion|faith)\b/,
  food: /\b(?:eat\w*|eggs?|bread|cake|cookies|cheese|dinner|diet|milk|soup|hamburger)\b/,
  friendship: /\b(?:friends?|neighbors?)\b/,
  goals: /\b(?:goals?|plans?|aim|purpose|vision)\b/,
  happiness: /\b(?:happ(?:y|iness)|joy|smile|laugh\w*|fun)\b/,
  home: /\b(?:homes?|houses?)\b/,
  humor: /\b(?:tequila|vodka|alcohol\w*|rum|beer|cocktails?|hiccups|whine|dinosaur|dragons?)\b/,
  ideas: /\b(?:ideas?|thoughts?|think\w*|genius)\b/,
  leadership: /\b(?:leader\w*|boss|command)\b/,
  life: /\b(?:life|live[sd]?|living)\b/,
  love: /\b(?:love[sd]?|loves|heart|hearts)\b/,
  money: /\b(?:money|rich|poor|wealth|dollars?|millionaire|buy|mortgage|bank)\b/,
  nature: /\b(?:nature|trees?|flowers?|seeds?|storms?|sea|seas|rain|sun|grass|volcano|weeds)\b/,
  peace: /\b(?:peace|war|wars|sword)\b/,
  perseverance:
    /\b(?:never give|stand up|start(?:ed|ing)?|begin\w*|finish\w*|keep (?:on|going)|try|tried|trying)\b/,
  science: /\b(?:science|rocket|atom|electricity|energy|plasmas?|computers?|lasers?|nuclear)\b/,
  success: /\b(?:succe(?:ss|ed)\w*|win|wins|winner|achiev\w+|victory|triumph)\b/,
  time: /\b(?:time|future|past|years?|today|tomorrow|day|days)\b/,
  truth: /\b(?:truth|true|real|reality|honest)\b/,
  wisdom: /\b(?:wis(?:e|er|dom)|fools?|ignorance)\b/,
  work: /\b(?:work\w*|jobs?|tools?|skills?|hir(?:e|ing))\b/,
};

const MOST_TAGS = 4;

function findTags(quote: string, author: string | null): string[] {
  const words = quote.toLowerCase();
  const found = Object.entries(WORDS)
    .filter(([, pattern]) => pattern.test(words))
    .map(([tag]) => tag);
  const proverb = author !== null && /\bProverb$/.test(author) ? ["proverb"] : [];
  return [...proverb, ...found].slice(0, MOST_TAGS);
}
