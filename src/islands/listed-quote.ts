/** Makes the items of search results and favourites from the template of `Answers.astro`. No text is parsed as HTML. */
import { beginsWithMark } from "../contract/quotation-marks.ts";
import { element, make } from "./browser.ts";
import type { Favourite } from "./favourites/store.ts";

type ListedQuote = Pick<Favourite, "path" | "lang" | "author" | "by" | "tags" | "source"> & {
  readonly dir: string;
};

/**
 * @param root element that has the template
 * @param base the site's base path
 * @param text text of the quote, which may have marked words
 */
export function makeListItem(
  root: ParentNode,
  base: string,
  { path, lang, dir, author, by, source, tags = [] }: ListedQuote,
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
  quote.toggleAttribute("data-marked", beginsWithMark(quote.textContent));
  const name = element(item, ".by a", HTMLAnchorElement);
  name.textContent = author;
  if (by) name.href = address(by);
  if (source) {
    const cite = make("cite", { dir: "auto" }, source);
    element(item, ".by", HTMLElement).after(make("p", { className: "source" }, cite));
  }
  const tagItems = tags.map(([tag, path]) => {
    const link = path !== "" && make("a", { href: address(path), dir: "auto" }, tag);
    return make("li", { className: "tag" }, link || make("bdi", {}, tag));
  });
  element(item, ".notes", HTMLElement).append(...tagItems);
  return item;
}
