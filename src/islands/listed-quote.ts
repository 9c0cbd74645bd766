/** A quote in the list of the search or of favourites: a copy of the template of `Answers.astro`, whose texts never become HTML. */
import { element, make } from "./browser.ts";
import type { NameLink } from "./favourites/store.ts";

export interface ListedQuote {
  /** Of the permalink, below the root of the site. */
  readonly path: string;
  /** BCP 47. */
  readonly lang: string;
  readonly dir: string;
  readonly author: string;
  /** Of its author's listing. */
  readonly by?: string;
  readonly tags?: readonly NameLink[];
}

/**
 * @param root the list, which has the template
 * @param base root of the site
 * @param text of the quote
 */
export function answerItem(
  root: ParentNode,
  base: string,
  { path, lang, dir, author, by, tags = [] }: ListedQuote,
  text: readonly (Node | string)[],
): DocumentFragment {
  const { content } = element(root, "template", HTMLTemplateElement);
  const item = document.importNode(content, true);
  const address = (path: string): string => base + path.slice(1);
  element(item, "li", HTMLLIElement).dir = dir;
  element(item, "a", HTMLAnchorElement).href = address(path);
  const quote = element(item, "blockquote", HTMLElement);
  quote.lang = lang;
  quote.append(...text);
  const name = element(item, ".by a", HTMLAnchorElement);
  name.textContent = author;
  if (by) name.href = address(by);
  const notes = tags.map(([tag, path]) => {
    const link = path !== "" && make("a", { href: address(path), dir: "auto" }, tag);
    return make("li", { className: "tag" }, link || make("bdi", {}, tag));
  });
  element(item, ".notes", HTMLElement).append(...notes);
  return item;
}
