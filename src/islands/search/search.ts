/**
 * The search page: reads `?q=` and the filters, searches as the reader types, and keeps the address in step.
 *
 * Nothing of the index is loaded before there is something to search for. The reader's languages come first; what other
 * languages have is offered below, once the first answers are shown.
 */
import { answerItem } from "../answers.ts";
import { element, fillIn, make } from "../browser.ts";
import { ENOUGH, SURE, languagesFor, openSearch, type Answer, type Search } from "./find.ts";
import type { IndexedCard } from "./pagefind.ts";
import type { LengthStep, Query } from "./query.ts";

/** Milliseconds without a key before the search starts, and before other languages are searched as well. */
const PAUSE_MS = { search: 250, offers: 1_000 };

/** What a query finds in one language: the first answers, best first; none where the first pages have none. */
interface Found {
  readonly search: Search;
  readonly answers: readonly Answer[];
}

const root = element(document, "quote-search", HTMLElement);
const { base = "/", folder = "", results = "", none = "", failed = "" } = root.dataset;
const form = element(root, "form", HTMLFormElement);
const input = element(root, "input", HTMLInputElement);
const status = element(root, "[role=status]", HTMLElement);
const list = element(root, ".found", HTMLOListElement);
const more = element(root, ".more-results", HTMLButtonElement);
const also = element(root, ".also", HTMLElement);

/** Of searches so far: after each wait another may have begun. */
let run = 0;
let shown: Search | undefined;
let timer = 0;
let curated: Promise<ReadonlySet<number>> | undefined;

function start(): void {
  clearTimeout(timer);
  const fields = new FormData(form);
  const asked = [...fields.keys()].flatMap((name) => {
    const value = valueOf(fields, name);
    return value === "" ? [] : [[name, value]];
  });
  const address = new URL(location.href);
  address.search = new URLSearchParams(asked).toString();
  history.replaceState(null, "", address);
  list.replaceChildren();
  shown = undefined;
  more.hidden = also.hidden = true;
  const own = ++run;
  if (asked.length === 0) status.textContent = "";
  else void busy(own, () => answer(fields, own));
}

/** Does one step of a search; what fails is said, unless another search began meanwhile. */
async function busy(own: number, work: () => Promise<void>): Promise<void> {
  list.ariaBusy = "true";
  try {
    await work();
  } catch (error) {
    if (own === run) status.textContent = failed;
    throw error;
  } finally {
    if (own === run) list.ariaBusy = "false";
  }
}

/** Shows the first answers and offers the other languages. */
async function answer(fields: FormData, own: number): Promise<void> {
  const query = await queryOf(fields);
  const unsure: Found[] = [];
  try {
    for (const language of languagesOf(query, valueOf(fields, "language"))) {
      const search = openSearch(query, language, folder);
      const found = { search, answers: await search.next() };
      if (own !== run) return;
      if (found.answers.length === 0 && !search.more) continue;
      if (shown !== undefined) offer(found);
      else if (!isSure(found, query)) unsure.push(found);
      else {
        await show(found, own);
        for (const other of unsure.splice(0)) offer(other);
        if (query.text === "" || savesData()) return;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS.offers));
        if (own !== run) return;
      }
    }
  } catch (error) {
    // What the other languages have is an offer: the answers are there without it.
    if (shown === undefined) throw error;
  }
  if (own !== run || shown !== undefined) return;
  const [best, ...others] = unsure.sort((a, b) => scoreOf(b) - scoreOf(a));
  if (best !== undefined) await show(best, own);
  else {
    // Pagefind finds nothing in a part of the index that it cannot load: this fails where that did for want of a connection.
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if (own === run) status.textContent = none;
  }
  for (const other of others) if (own === run) offer(other);
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

function languagesOf(query: Query, chosen: string) {
  const options = [...root.querySelectorAll<HTMLOptionElement>("[name=language] option")];
  const all = options
    .filter(({ value }) => value !== "" && (chosen === "" || value === chosen))
    .map(({ value, lang }) => ({ slug: value, tag: lang }));
  return languagesFor(query, all, [...navigator.languages, document.documentElement.lang]);
}

async function show({ search, answers }: Found, own: number): Promise<void> {
  shown = search;
  append(search, answers);
  if (answers.length < ENOUGH) await showMore(search, own);
}

async function showMore(search: Search, own: number): Promise<void> {
  const next = await search.next();
  if (own !== run) return;
  const asked = document.activeElement === more;
  const first = list.children.length;
  append(search, next);
  // A hidden button keeps no focus.
  if (asked && more.hidden) (links()[first] ?? input).focus();
}

function append(search: Search, answers: readonly Answer[]): void {
  const { lang, dir, text } = optionOf(search);
  for (const { card } of answers) {
    const { path, author } = card;
    const tags = tagsIn(card.tags).map((name) => [name, tagPath(name)] as const);
    const quote = { path, lang, dir: dir || "auto", author, tags };
    const item = answerItem(root, base, quote, marked(card));
    Object.assign(element(item, ".in", HTMLElement), { lang, textContent: text });
    list.append(item);
  }
  const count = list.children.length;
  status.textContent = count === 0 && !search.more ? none : fillIn(results, figure(count, search));
  more.hidden = !search.more;
}

/** How many answers of a language are known, in the digits of the page. */
const figure = (count: number, search: Search): string =>
  `${count.toLocaleString(document.documentElement.lang)}${search.more ? "+" : ""}`;

/** The names of tags in a text of the index, where a full stop is after each. A name may hold one, as "U.S. history". */
function tagsIn(text: string): string[] {
  const names: string[] = [];
  for (const part of text.split(/\.(?:\s|$)/u).flatMap((name) => name.trim() || [])) {
    const joined = `${names.at(-1)}. ${part}`;
    if (tagPath(joined) === "") names.push(part);
    else names.splice(-1, 1, joined);
  }
  return names;
}

/** Of a tag that one can search by; empty for the others. */
function tagPath(tag: string): string {
  const options = root.querySelectorAll<HTMLOptionElement>("[name=tag] option");
  const slug = [...options].find(({ text }) => text === tag)?.value ?? "";
  return slug && `/tag/${slug}/`;
}

/** Signs around a word stay outside of its mark. */
const CORE = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}\p{M}]*)$/su;

function marked({ words, joiner, found }: IndexedCard): (Node | string)[] {
  const hits = new Set(found);
  return words.flatMap((word, at) => {
    const space = at === 0 ? "" : joiner;
    const [, before = "", core = "", after = ""] = hits.has(at) ? (CORE.exec(word) ?? []) : [];
    return core === "" ? [space + word] : [space + before, make("mark", {}, core), after];
  });
}

/** Names a language that has answers too. */
function offer({ search, answers }: Found): void {
  if (answers.length === 0) return;
  const address = new URL(location.href);
  address.searchParams.set("language", search.language.slug);
  const { lang, text } = optionOf(search);
  const count = `: ${figure(answers.length, search)}`;
  const link = make("a", { href: address.href }, make("span", { lang }, text), count);
  const offers = element(also, "ul", HTMLUListElement);
  if (also.hidden) offers.replaceChildren();
  offers.append(make("li", {}, link));
  also.hidden = false;
}

function optionOf({ language }: Search): HTMLOptionElement {
  const value = CSS.escape(language.slug);
  return element(root, `[name=language] option[value="${value}"]`, HTMLOptionElement);
}

const links = () => [...list.querySelectorAll<HTMLElement>("li > a")];

/** Arrow keys lead from the field into the answers and back. */
function move(event: KeyboardEvent): void {
  // There they choose among the words of an input method.
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

/** Filters alone leave nothing to doubt. */
const isSure = (found: Found, { text }: Query): boolean =>
  text === "" ? found.answers.length > 0 : scoreOf(found) >= SURE;

const scoreOf = ({ answers }: Found): number => answers[0]?.score ?? 0;

/** Whether the reader asked the browser to load little. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

const asked = new URLSearchParams(location.search);
for (const [name, value] of asked) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
  else if (field instanceof HTMLInputElement) field.value = value;
  else if (field instanceof HTMLSelectElement) {
    field.value = value;
    // An old link may name what is gone.
    if (field.selectedIndex < 0) field.value = "";
  }
}
form.onsubmit = (event) => {
  event.preventDefault();
  start();
};
form.oninput = () => {
  clearTimeout(timer);
  timer = window.setTimeout(start, PAUSE_MS.search);
};
more.onclick = () => {
  const [search, own] = [shown, run];
  if (search !== undefined) void busy(own, () => showMore(search, own));
};
root.onkeydown = move;
if (asked.size > 0) start();
else input.focus({ preventScroll: true });
