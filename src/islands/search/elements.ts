/** The elements and texts of the page of the search, and what its fields hold. */
import { element, fillIn } from "../browser.ts";
import { makeCombobox } from "./combobox.ts";
import type { SearchLanguage } from "./languages-asked.ts";
import { readTyped, shownQuery, type NamedLanguage, type Typed } from "./typed.ts";

export const root = element(document, "quote-search", HTMLElement);
export const {
  base = "/",
  folder = "",
  author: authorWord = "",
  tag: tagWord = "",
  language: languageWord = "",
  quotes: quoteForms = "{}",
  asking = "",
  none: noneWith = "",
  fewer = "",
  failed = "",
  without = "",
  alsoIn = "",
  similar = "",
} = root.dataset;
export const pageLanguage = (): string => document.documentElement.lang;
export const form = element(root, "form", HTMLFormElement);
export const input = element(root, "input", HTMLInputElement);
export const named = element(root, ".names", HTMLUListElement);
export const suggestions = makeCombobox(
  input,
  element(root, "#suggestions", HTMLElement),
  named.getAttribute("aria-label") ?? "",
);
export const status = element(root, "[role=status]", HTMLElement);
export const list = element(root, ".found", HTMLOListElement);
export const more = element(root, ".more-results", HTMLButtonElement);
export const also = element(root, ".also", HTMLElement);

export function valueOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** What the field has, as it is searched. */
export const readField = (): Typed => {
  const own = { author: authorWord, tag: tagWord, language: languageWord };
  // Names of many languages take a while, and are for a hint only.
  return readTyped(input.value.trim(), own, input.value.includes(":") ? languagesByName() : []);
};

/** The languages of the site by codes, and by their names: their own, those of the page, and English ones. */
function languagesByName(): NamedLanguage[] {
  const named = [pageLanguage(), "en"].map(
    (language) => new Intl.DisplayNames(language, { type: "language" }),
  );
  return languageOptions().map(({ value, lang, text }) => {
    const [primary = lang] = lang.split("-", 1);
    const names = named.map((of) => of.of(lang) ?? lang);
    return { slug: value, names: [value, lang, primary, text.trim(), ...names] };
  });
}

/** Says that no quote has the words of a text. */
export const noneFound = (text: string): string => fillIn(noneWith, shownQuery(text));

/** Says with which words answers are shown, where no quote has all. */
export const withFewer = (text: string): string => fillIn(fewer, shownQuery(text));

/** The page's forms of "{n} quotes", by plural category. */
export const formsOfQuotes = JSON.parse(quoteForms) as Readonly<Record<string, string>>;

/** The page's words for quotes. */
export const wordsForQuotes = (): string[] =>
  Object.values(formsOfQuotes).map((form) => fillIn(form, ""));

/**
 * The languages of the site, largest first.
 *
 * @param chosen slugs of those that the reader chose; none for all
 */
export const languagesOfSite = (chosen: readonly string[]): SearchLanguage[] =>
  languageOptions()
    .filter(({ value }) => chosen.length === 0 || chosen.includes(value))
    .map(({ value, lang }) => ({ slug: value, tag: lang }));

const languageOptions = (): HTMLOptionElement[] =>
  [...root.querySelectorAll<HTMLOptionElement>("[name=language] option")].filter(
    ({ value }) => value !== "",
  );

export function optionOf(language: SearchLanguage): HTMLOptionElement {
  const value = CSS.escape(language.slug);
  return element(root, `[name=language] option[value="${value}"]`, HTMLOptionElement);
}
