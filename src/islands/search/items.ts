/** What the search shows, as nodes: text of the service never becomes HTML. */
import { element, make, tagItems } from "../browser.ts";
import type { IndexedCard } from "./pagefind.ts";

/**
 * An answer: the quote with its found words marked, its author and its language.
 *
 * @param root the search, which has a template of an answer
 * @param language the option of the quote's language
 * @param base root of the site
 */
export function answerItem(
  root: ParentNode,
  card: IndexedCard,
  language: HTMLOptionElement,
  base: string,
): DocumentFragment {
  const item = element(root, "template", HTMLTemplateElement).content.cloneNode(true);
  if (!(item instanceof DocumentFragment)) throw new TypeError("Cannot copy a template");
  element(item, "a", HTMLAnchorElement).href = base + card.path.slice(1);
  const quote = element(item, "blockquote", HTMLElement);
  quote.lang = language.lang;
  element(item, "li", HTMLLIElement).dir = language.dir || "auto";
  quote.append(...marked(card));
  element(item, ".by a", HTMLElement).textContent = card.author;
  // Pagefind puts a full stop after each name.
  const names = card.tags.split(/\.(?:\s|$)/u).flatMap((name) => name.trim() || []);
  const tags = names.map((tag) => [tag, pathOf(tag, root)] as const);
  element(item, ".notes", HTMLElement).append(...tagItems(tags, base));
  const name = element(item, ".in", HTMLElement);
  name.lang = language.lang;
  name.textContent = language.text;
  return item;
}

/** Of a tag that one can search by; empty for the others. */
function pathOf(tag: string, root: ParentNode): string {
  const options = root.querySelectorAll<HTMLOptionElement>("[name=tag] option");
  const slug = [...options].find(({ text }) => text === tag)?.value ?? "";
  return slug && `/tag/${slug}/`;
}

/** A language that has answers too, and how many of them are known. */
export function offerItem(
  language: HTMLOptionElement,
  count: string,
  address: string,
): HTMLElement {
  const name = make("span", { lang: language.lang }, language.text);
  return make("li", {}, make("a", { href: address }, name, `: ${count}`));
}

/** Signs around a word stay outside of its mark. */
const CORE = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}\p{M}]*)$/su;

function marked({ words, joiner, found }: IndexedCard): (Node | string)[] {
  const hits = new Set(found);
  return words.flatMap((word, at) => {
    const space = at === 0 ? "" : joiner;
    const [, before = "", core = "", after = ""] = hits.has(at) ? (CORE.exec(word) ?? []) : [];
    if (core === "") return [space + word];
    return [space + before, make("mark", {}, core), after];
  });
}
