/**
 * The languages that a reader reads: those of the browser that the site has, until the reader chooses others. The choice is in
 * `localStorage`.
 */
import { pageWords, readStorage, writeStorage } from "./browser.ts";

/** A language of the site: its tag, the slug of its listing, and the number of its files of random quotes. */
export interface SetsOfLanguage {
  readonly tag: string;
  readonly slug: string;
  readonly files: number;
}

/** @param list an attribute that `readerSets()` of src/site/random.ts wrote */
export function parseSets(list: string): SetsOfLanguage[] {
  return list.split(" ").flatMap((entry) => {
    const [tag = "", slug = "", files = ""] = entry.split(":");
    return slug === "" ? [] : [{ tag, slug, files: Number(files) }];
  });
}

const keyOf = (): string => `commonplace-languages:${pageWords().base}`;

/** The part of a tag that names the language: `pt` of `pt-BR`. */
const primary = (tag: string): string => tag.split("-")[0]?.toLowerCase() ?? "";

/** The tags that the reader chose, as they are stored; empty where none are. */
export const chosenTags = (): string => readStorage(keyOf()) ?? "";

/**
 * The tags of the chosen languages, else of those of the browser, best first. Who opens a page in another language than the site's
 * reads that language, too.
 */
export function preferredTags(): readonly string[] {
  const chosen = chosenTags();
  const { lang, dataset } = document.documentElement;
  const own = "local" in dataset ? [lang] : [];
  return chosen === "" ? [...own, ...navigator.languages] : chosen.split(" ");
}

/**
 * The languages of a site that the reader reads, best first.
 *
 * @returns where there is none, that of the page, or else the first
 */
export function readLanguages<Of extends { readonly tag: string }>(languages: readonly Of[]): Of[] {
  const found = preferredTags().flatMap(
    (tag) => languages.find((one) => primary(one.tag) === primary(tag)) ?? [],
  );
  const own =
    found.length > 0 ? found : languages.filter(({ tag }) => tag === document.documentElement.lang);
  return [...new Set(own.length > 0 ? own : languages.slice(0, 1))];
}

/** @param tags empty for those of the browser */
export function chooseLanguages(tags: readonly string[]): void {
  writeStorage(keyOf(), tags.join(" ") || null);
}
