/** The elements and texts of the page of the search, and what its fields hold. */
import { element, fillIn } from "../browser.ts";
import { makeCombobox } from "./combobox.ts";
import type { SearchLanguage } from "./languages-asked.ts";
import { readTyped, shownQuery, type Typed } from "./typed.ts";

export const root = element(document, "quote-search", HTMLElement);
export const {
  base = "/",
  folder = "",
  author: authorWord = "",
  tag: tagWord = "",
  quotes: quoteForms = "{}",
  asking = "",
  none: noneWith = "",
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
export const readField = (): Typed =>
  readTyped(input.value.trim(), { author: authorWord, tag: tagWord });

/** Says that no quote has the words of a text. */
export const noneFound = (text: string): string => fillIn(noneWith, shownQuery(text));

/** The languages of the site, largest first, or the one that the reader chose. */
export function languagesOfSite(chosen: string): SearchLanguage[] {
  const options = [...root.querySelectorAll<HTMLOptionElement>("[name=language] option")];
  return options
    .filter(({ value }) => value !== "" && (chosen === "" || value === chosen))
    .map(({ value, lang }) => ({ slug: value, tag: lang }));
}

export function optionOf(language: SearchLanguage): HTMLOptionElement {
  const value = CSS.escape(language.slug);
  return element(root, `[name=language] option[value="${value}"]`, HTMLOptionElement);
}
