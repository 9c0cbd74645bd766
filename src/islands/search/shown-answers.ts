/** Shows the answers of a search as items of the list, with their found words marked, and their number. */
import { element, fillIn, make } from "../browser.ts";
import { makeListItem } from "../listed-quote.ts";
import {
  base,
  formsOfQuotes,
  list,
  more,
  optionOf,
  pageLanguage,
  root,
  status,
} from "./elements.ts";
import type { Answer, Search } from "./find.ts";
import type { IndexedCard } from "./pagefind.ts";

/** @param note before their number; empty for none */
export function appendAnswers(search: Search, answers: readonly Answer[], note: string): void {
  const { lang, dir, text } = optionOf(search.language);
  for (const { card } of answers) {
    const { path, author } = card;
    const tags = splitTags(card.tags).map((name) => [name, tagPath(name)] as const);
    const quote = { path, lang, dir: dir || "auto", author, tags };
    const item = makeListItem(root, base, quote, marked(card));
    Object.assign(element(item, ".in", HTMLElement), { lang, textContent: text });
    list.append(item);
  }
  status.textContent = `${note} ${countOf(list.children.length, search.more)}`.trim();
  more.hidden = !search.more;
}

/** "12+ quotes": in the form and the digits of the page. @param hasMore whether others are not known yet */
export function countOf(count: number, hasMore = false): string {
  const language = pageLanguage();
  const form = formsOfQuotes[new Intl.PluralRules(language).select(count)];
  const number = `${count.toLocaleString(language)}${hasMore ? "+" : ""}`;
  return fillIn(form ?? formsOfQuotes["other"] ?? "", number);
}

/** Splits the text of tags at the full stop after each name. A name may also contain one, such as "U.S. history". */
function splitTags(text: string): string[] {
  const names: string[] = [];
  for (const part of text.split(/\.(?:\s|$)/u).flatMap((name) => name.trim() || [])) {
    const joined = `${names.at(-1)}. ${part}`;
    if (tagPath(joined) === "") names.push(part);
    else names.splice(-1, 1, joined);
  }
  return names;
}

/** Path of a tag in the filter; empty for other tags. */
function tagPath(tag: string): string {
  const options = root.querySelectorAll<HTMLOptionElement>("[name=tag] option");
  const slug = [...options].find(({ text }) => text === tag)?.value ?? "";
  return slug && `/tag/${slug}/`;
}

/** Separates a word from the punctuation around it, which is not marked. */
const CORE = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}\p{M}]*)$/su;

function marked({ words, joiner, found }: IndexedCard): (Node | string)[] {
  const hits = new Set(found);
  return words.flatMap((word, at) => {
    const space = at === 0 ? "" : joiner;
    const [, before = "", core = "", after = ""] = hits.has(at) ? (CORE.exec(word) ?? []) : [];
    return core === "" ? [space + word] : [space + before, make("mark", {}, core), after];
  });
}

/** The links to the quotes of a list of answers, and not to their tags. */
export const linksOf = (answers: HTMLElement): HTMLElement[] => [
  ...answers.querySelectorAll<HTMLElement>(":scope > li > a"),
];
