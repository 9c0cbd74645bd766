/**
 * The files of random quotes, below `/api/v1/random/`: some of all languages, `0.json` and on, and some of each language,
 * `en-0.json` and on, which the pages of a reader of that language ask for.
 */
import { hash } from "node:crypto";
import { languageSetCount, randomSetCount, type CardRow } from "../plan/index.ts";
import type { CardData } from "./cards.ts";
import { openSite } from "./open-site.ts";

/** Most quotes of a file: of all languages, and of one. */
const SET_QUOTES = { all: 100, language: 40 };

/** Number of files with quotes of all languages: a power of two, which seldom changes. */
export function randomFiles(): number {
  return [...setsByFile().keys()].filter((file) => /^\d/.test(file)).length;
}

/**
 * The files of each language, for an attribute of a page: `en:en:8 bn:be:1`, each with the tag of the language, its slug and
 * the number of its files.
 *
 * The largest language is the first, for a reader of none of them. The others are in the order of their tags, since every quote's
 * page has this text: where two small languages trade places, no page changes.
 */
export function readerSets(): string {
  const [largest = [], ...others] = openSite()
    .languages()
    .map(({ language, slug, quotes }) => `${language.tag}:${slug}:${languageSetCount(quotes)}`);
  return [largest, others.sort()].flat().join(" ");
}

/** @param file name of the file, without its ending */
export function randomSet(file: string): CardData[] {
  return (setsByFile().get(file) ?? []).flatMap(({ id }) => openSite().card(id) ?? []);
}

export function randomRoutes() {
  return Array.from(setsByFile(), ([file, set]) => ({
    params: { file },
    cacheKey: hash("sha256", set.map(({ cacheKey }) => cacheKey).join()),
  }));
}

let sets: ReadonlyMap<string, readonly CardRow[]> | undefined;

function setsByFile(): ReadonlyMap<string, readonly CardRow[]> {
  if (sets !== undefined) return sets;
  const site = openSite();
  const liked = site.mostLiked();
  const files = split(liked, randomSetCount(liked.length), SET_QUOTES.all);
  const ofLanguages = site.languages().flatMap(({ slug, quotes }) => {
    const count = languageSetCount(quotes);
    const most = count * SET_QUOTES.language;
    const own = split(site.mostLikedIn("language", slug, most), count, SET_QUOTES.language);
    return own.map(([file, set]) => [`${slug}-${file}`, set] as const);
  });
  return (sets = new Map([...files, ...ofLanguages]));
}

/** Splits quotes into sets. A quote's set depends only on its pk, so other quotes do not move it. */
function split(quotes: readonly CardRow[], count: number, most: number) {
  const byId = quotes.toSorted((a, b) => a.id - b.id);
  const bySet = Map.groupBy(byId, ({ id }) => mix(id) % count);
  return Array.from(
    { length: count },
    (_, set) => [String(set), bySet.get(set)?.slice(0, most) ?? []] as const,
  );
}

/** Puts quotes with adjacent pks, often of one author, into different sets. */
function mix(id: number): number {
  return Math.imul(id % 0x1_0000_0000, 0x9e37_79b1) >>> 8;
}
