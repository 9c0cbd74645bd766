/**
 * The search page: searches as the reader types, and keeps the query and the filters in the address.
 *
 * The index is loaded at the first query. The reader's languages are searched first. Once their answers are shown, links
 * below them offer the answers in other languages.
 */
import { makeListItem } from "../listed-quote.ts";
import { element, fillIn, make } from "../browser.ts";
import { preferredTags } from "../languages.ts";
import { makeCombobox } from "./combobox.ts";
import { findNames, type Name } from "./names.ts";
import {
  ENOUGH,
  inOrder,
  inScript,
  openSearch,
  type Answer,
  type Search,
  type SearchLanguage,
} from "./find.ts";
import { MOST_STEMS, RANKS } from "./ranking.ts";
import { lookUpWords, type Standing } from "./words.ts";
import type { IndexedCard } from "./pagefind.ts";
import type { LengthStep, Query } from "./query.ts";

/** Pause after a key before the search starts. */
const TYPING_PAUSE_MS = 250;

/** Pause after the first answers before other languages are searched. */
const OFFERS_PAUSE_MS = 1_000;

/** Languages that are searched at most where each has the words, and it is unknown whether a quote has all of them. */
const MOST_SEARCHED = 6;

/** Languages that are searched at most for what to offer: the first search in each loads some 100 kB. */
const MOST_SEARCHED_TO_OFFER = 3;

/** Its `saveData`: whether the reader asked the browser to save data. Some browsers have none. */
const { connection } = navigator as { connection?: { saveData?: boolean } };

/** Some private modes turn WebAssembly off. */
const HAS_ENGINE = "WebAssembly" in globalThis;

/** The first answers of a query in one language, best first. */
interface LanguageResult {
  readonly search: Search;
  readonly answers: readonly Answer[];
}

const root = element(document, "quote-search", HTMLElement);
const {
  base = "/",
  folder = "",
  author: authorWord = "",
  tag: tagWord = "",
  quotes: quoteForms = "{}",
  asking = "",
  none = "",
  failed = "",
  without = "",
  alsoIn = "",
  similar = "",
} = root.dataset;
const pageLanguage = document.documentElement.lang;
const form = element(root, "form", HTMLFormElement);
const input = element(root, "input", HTMLInputElement);
const named = element(root, ".names", HTMLUListElement);
const suggestions = makeCombobox(
  input,
  element(root, "#suggestions", HTMLElement),
  named.getAttribute("aria-label") ?? "",
);
const status = element(root, "[role=status]", HTMLElement);
const list = element(root, ".found", HTMLOListElement);
const more = element(root, ".more-results", HTMLButtonElement);
const also = element(root, ".also", HTMLElement);

/** Number of the latest search. After each `await`, a search compares its own number: a newer one may have begun. */
let latest = 0;
let shown: Search | undefined;
let timer = 0;
let curated: Promise<ReadonlySet<number>> | undefined;

function start(): void {
  clearTimeout(timer);
  const fields = new FormData(form);
  const filled = [...fields.keys()]
    .map((name) => [name, valueOf(fields, name)])
    .filter(([, value]) => value !== "");
  const address = new URL(location.href);
  address.search = new URLSearchParams(filled).toString();
  history.replaceState(null, "", address);
  list.replaceChildren();
  named.replaceChildren();
  shown = undefined;
  more.hidden = also.hidden = true;
  const own = ++latest;
  if (filled.length === 0) status.textContent = "";
  else void runStep(own, () => answer(fields, own));
}

/** Runs a step of a search. An error is shown, unless a newer search has begun. */
async function runStep(own: number, work: () => Promise<void>): Promise<void> {
  list.ariaBusy = "true";
  try {
    await work();
  } catch (error) {
    if (own === latest) status.textContent = failed;
    throw error;
  } finally {
    if (own === latest) list.ariaBusy = "false";
  }
}

/** The names that a text names. Without the list of names there are none: the quotes are searched all the same. */
let lookup: { readonly text: string; readonly names: Promise<readonly Name[]> } | undefined;

function lookUp(text: string): Promise<readonly Name[]> {
  if (lookup?.text !== text) {
    const names = text === "" ? Promise.resolve([]) : findNames(text, folder);
    lookup = { text, names: names.catch(() => ((lookup = undefined), [])) };
  }
  return lookup.names;
}

/** What a name is, its number of quotes, and what the site says of an author. */
function noteOf({ kind, quotes, about }: Name): string {
  const what = kind === "author" ? authorWord : tagWord;
  const note = `${what} · ${quotes.toLocaleString(document.documentElement.lang)}`;
  return about === "" ? note : `${note} · ${about}`;
}

const addressOf = ({ path }: Name): string => base + path.slice(1);

/** Shows the authors and tags, above the quotes. */
function showNames(names: readonly Name[]): void {
  const items = names.map((name) => {
    const link = make("a", { href: addressOf(name), dir: "auto" }, name.name);
    return make("li", {}, link, " ", make("span", {}, noteOf(name)));
  });
  named.replaceChildren(...items);
}

/** Suggests the names of what is typed, unless more was typed meanwhile. */
async function suggestNames(): Promise<void> {
  const text = input.value.trim();
  const names = await lookUp(text);
  if (input.value.trim() !== text || document.activeElement !== input) return;
  suggestions.show(
    names.map((name) => ({ text: name.name, note: noteOf(name), href: addressOf(name) })),
  );
}

/** Goes to the author or tag that the text names exactly, unless a filter is chosen. */
async function goToName(own: number): Promise<void> {
  const fields = new FormData(form);
  const isFiltered = [...fields.keys()].some((key) => key !== "q" && valueOf(fields, key) !== "");
  if (isFiltered) return;
  const exact = (await lookUp(valueOf(fields, "q"))).find(({ isExact }) => isExact);
  if (exact !== undefined && own === latest) location.assign(addressOf(exact));
}

/** Shows the answers in the first language that has some, and offers the other languages with the same words. */
async function answer(fields: FormData, own: number): Promise<void> {
  const query = await queryOf(fields);
  const looked =
    query.text === "" ? undefined : lookUpWords(query.text, folder).catch(() => undefined);
  const names = await lookUp(query.text);
  if (own !== latest) return;
  // Before the quotes, so that nothing moves.
  showNames(names);
  if (!HAS_ENGINE) {
    status.textContent = without;
    element(root, ".without", HTMLUListElement).hidden = false;
    return;
  }
  const words = await looked;
  if (own !== latest) return;
  // There may be no word yet, as in a quotation mark.
  const languages =
    words?.words === 0 ? [] : languagesOf(query, valueOf(fields, "language"), words);
  const others: Ranked[] = [];
  status.textContent = fillIn(asking, languages.length.toLocaleString(pageLanguage));
  for (const ranked of languages) {
    if (shown !== undefined) others.push(ranked);
    else {
      const { language, standing } = ranked;
      const search = openSearch(query, language, folder, standing?.spellings);
      const answers = await firstAnswers(search);
      if (own !== latest) return;
      if (answers.length > 0) await show({ search, answers }, own);
    }
    if (own !== latest) return;
  }
  if (shown === undefined) {
    status.textContent = fillIn(none, query.text);
    suggest(words?.similar() ?? []);
  } else if (query.text !== "") await offerAll(query, others, words, own);
}

/** A language, and how it stands to the words of the query; undefined where that is unknown. */
interface Ranked {
  readonly language: SearchLanguage;
  readonly standing: Standing | undefined;
}

/** Reads on where the first pages have no answer. */
async function firstAnswers(search: Search): Promise<readonly Answer[]> {
  const answers = await search.next();
  return answers.length === 0 && search.more ? search.next() : answers;
}

/**
 * Offers the languages that have the words themselves. One word is surely found there; of more words, some languages are searched
 * for a quote that has all.
 */
async function offerAll(
  query: Query,
  others: readonly Ranked[],
  words: Awaited<ReturnType<typeof lookUpWords>> | undefined,
  own: number,
): Promise<void> {
  const having = others.filter(
    ({ standing }) => standing === undefined || standing.rank !== "stem",
  );
  const isPlain = query.tag === "" && query.length === "" && query.among === null;
  if (words?.words === 1 && words.isWhole && isPlain) {
    for (const { language } of having) offer(language);
    return;
  }
  if (connection?.saveData === true) return;
  await new Promise((resolve) => setTimeout(resolve, OFFERS_PAUSE_MS));
  for (const { language, standing } of having.slice(0, MOST_SEARCHED_TO_OFFER)) {
    if (own !== latest) return;
    try {
      const search = openSearch(query, language, folder, standing?.spellings);
      const answers = await search.next();
      if (own === latest && answers.length > 0) offer(language);
    } catch {
      // What others have is optional.
      return;
    }
  }
}

async function queryOf(fields: FormData): Promise<Query> {
  const tag = root.querySelector<HTMLOptionElement>("[name=tag] option:checked");
  return {
    text: valueOf(fields, "q"),
    tag: valueOf(fields, "tag") === "" ? "" : (tag?.text ?? ""),
    length: valueOf(fields, "length") as LengthStep,
    among: valueOf(fields, "curated") === "" ? null : await (curated ??= readCurated()),
  };
}

async function readCurated(): Promise<ReadonlySet<number>> {
  const answer = await fetch(`${folder}curated.json`);
  if (!answer.ok) throw new Error(`Cannot read ${answer.url}: ${answer.status}`);
  return new Set((await answer.json()) as number[]);
}

/** The languages that may answer, by `RANKS`, and of one rank the language of the page first. */
function languagesOf(
  query: Query,
  chosen: string,
  words: Awaited<ReturnType<typeof lookUpWords>> | undefined,
): Ranked[] {
  const options = [...root.querySelectorAll<HTMLOptionElement>("[name=language] option")];
  const all = options
    .filter(({ value }) => value !== "" && (chosen === "" || value === chosen))
    .map(({ value, lang }) => ({ slug: value, tag: lang }));
  const ordered = inOrder(all, [document.documentElement.lang, ...preferredTags()]);
  if (words === undefined) {
    const few = query.text === "" ? ordered : inScript(query.text, ordered);
    return few
      .slice(0, query.text === "" ? Infinity : MOST_SEARCHED)
      .map((language) => ({ language, standing: undefined }));
  }
  const ranked = ordered.map((language) => {
    return { language, standing: words.standingOf(language.slug) };
  });
  const having = ranked.filter(({ standing }) => RANKS[standing.rank].points > RANKS.stem.points);
  const forms = ranked.filter(({ standing }) => standing.rank === "stem").slice(0, MOST_STEMS);
  // The sort is stable.
  having.sort((a, b) => RANKS[b.standing.rank].points - RANKS[a.standing.rank].points);
  return [...having.slice(0, words.words === 1 ? Infinity : MOST_SEARCHED), ...forms];
}

async function show({ search, answers }: LanguageResult, own: number): Promise<void> {
  shown = search;
  append(search, answers);
  if (answers.length < ENOUGH) await showMore(search, own);
}

async function showMore(search: Search, own: number): Promise<void> {
  const next = await search.next();
  if (own !== latest) return;
  const hadFocus = document.activeElement === more;
  const first = list.children.length;
  append(search, next);
  // A hidden button loses the focus.
  if (hadFocus && more.hidden) (links()[first] ?? input).focus();
}

function append(search: Search, answers: readonly Answer[]): void {
  const { lang, dir, text } = optionOf(search);
  for (const { card } of answers) {
    const { path, author } = card;
    const tags = splitTags(card.tags).map((name) => [name, tagPath(name)] as const);
    const quote = { path, lang, dir: dir || "auto", author, tags };
    const item = makeListItem(root, base, quote, marked(card));
    Object.assign(element(item, ".in", HTMLElement), { lang, textContent: text });
    list.append(item);
  }
  const count = list.children.length;
  status.textContent =
    count === 0 && !search.more
      ? fillIn(none, input.value.trim())
      : fillIn(formOf(count), formatCount(count, search));
  more.hidden = !search.more;
}

/** The form of "quotes" for a number, by the plural rules of the page. */
function formOf(count: number): string {
  const forms = JSON.parse(quoteForms) as Readonly<Record<string, string>>;
  return forms[new Intl.PluralRules(pageLanguage).select(count)] ?? forms["other"] ?? "";
}

/** Number of the known answers of a language, in the digits of the page. */
const formatCount = (count: number, search: Search): string =>
  `${count.toLocaleString(document.documentElement.lang)}${search.more ? "+" : ""}`;

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

/** Adds a link to the answers in another language. */
function offer(language: SearchLanguage): void {
  const { lang, text } = optionOf({ language });
  addOffer(alsoIn, { language: language.slug }, make("span", { lang }, text));
}

/** Offers queries with similar words. */
function suggest(queries: readonly string[]): void {
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

function optionOf({ language }: Pick<Search, "language">): HTMLOptionElement {
  const value = CSS.escape(language.slug);
  return element(root, `[name=language] option[value="${value}"]`, HTMLOptionElement);
}

/** The links to the quotes of the answers, and not to their tags. */
const links = () => [...list.querySelectorAll<HTMLElement>(":scope > li > a")];

/** Moves the focus between the field and the answers with the arrow keys. */
function moveFocus(event: KeyboardEvent): void {
  // An input method uses the arrow keys itself.
  if (event.isComposing) return;
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.target instanceof HTMLSelectElement) return;
  const stops = [input, ...links()];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

function valueOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}

const parameters = new URLSearchParams(location.search);
for (const [name, value] of parameters) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
  else if (field instanceof HTMLInputElement) field.value = value;
  else if (field instanceof HTMLSelectElement) {
    field.value = value;
    // An old link may have an option that no longer exists.
    if (field.selectedIndex < 0) field.value = "";
  }
}
form.onsubmit = (event) => {
  event.preventDefault();
  start();
};
input.onkeydown = (event) => {
  if (event.isComposing) return;
  if (suggestions.take(event)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  suggestions.close();
  start();
  void goToName(latest);
};
form.oninput = (event) => {
  clearTimeout(timer);
  // The first key loads the list of names.
  if (event.target === input) void suggestNames();
  timer = window.setTimeout(start, TYPING_PAUSE_MS);
};
more.onclick = () => {
  const [search, own] = [shown, latest];
  if (search !== undefined) void runStep(own, () => showMore(search, own));
};
root.onkeydown = moveFocus;
if (parameters.size > 0) start();
else input.focus({ preventScroll: true });
