/** Offers other searches below the answers: in other languages, or with similar words. */
import { element, make } from "../browser.ts";
import { also, alsoIn, optionOf, similar } from "./elements.ts";
import type { SearchLanguage } from "./languages-asked.ts";

/** Adds a link to the answers in another language. */
export function offerLanguage(language: SearchLanguage): void {
  const { lang, text } = optionOf(language);
  addOffer(alsoIn, { language: language.slug }, make("span", { lang }, text));
}

/** Offers queries with similar words. */
export function offerQueries(queries: readonly string[]): void {
  for (const q of queries) addOffer(similar, { q }, make("bdi", {}, q));
}

/** Adds a link to a search that differs in some fields. @param title above the links */
function addOffer(title: string, fields: Readonly<Record<string, string>>, text: Node): void {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value);
  const link = make("a", { href: address.href }, text);
  element(also, "p", HTMLElement).textContent = title;
  const offers = element(also, "ul", HTMLUListElement);
  if (also.hidden) offers.replaceChildren();
  offers.append(make("li", {}, link));
  also.hidden = false;
}
