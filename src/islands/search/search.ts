/**
 * The search page: searches as the reader types, and keeps the query and the filters in the address.
 *
 * The index is loaded at the first query. The reader's languages are searched first. Once their answers are shown, links
 * below them offer the answers in other languages.
 */
import { element, fillIn } from "../browser.ts";
import { preferredTags } from "../languages.ts";
import {
  also,
  asking,
  failed,
  folder,
  form,
  input,
  languagesOfSite,
  list,
  more,
  named,
  noneFound,
  pageLanguage,
  readField,
  root,
  status,
  suggestions,
  valueOf,
  withFewer,
  without,
  wordsForQuotes,
} from "./elements.ts";
import { fewerWords, keysForQuotes } from "./fewer.ts";
import { ENOUGH, openSearch, type Answer, type Search } from "./find.ts";
import {
  inOrder,
  isHaving,
  languagesAsked,
  type Ranked,
  type SearchLanguage,
} from "./languages-asked.ts";
import type { Name } from "./names.ts";
import { offerLanguage, offerQueries } from "./offers.ts";
import { openEngine } from "./pagefind.ts";
import { isQuoted, JOINERS, splitWords, type LengthStep, type Query } from "./query.ts";
import { appendAnswers, countOf, linksOf } from "./shown-answers.ts";
import { addressOfExact, lookUpNames, showNames, suggestNames } from "./shown-names.ts";
import { LONGEST_QUERY } from "./typed.ts";
import { lookUpWords, type LookedUp } from "./words.ts";

/** Pause after a key before the search starts. */
const TYPING_PAUSE_MS = 250;

/** Pause after the first answers before other languages are searched. */
const OFFERS_PAUSE_MS = 1_000;

/** Languages that are searched at most for what to offer: the first search in each loads some 100 kB. */
const MOST_SEARCHED_TO_OFFER = 3;

/** Code of a key that an input method takes, of UI Events. */
const COMPOSITION_KEY = 229;

/** Keyboards of touch screens compose each word of every language: their text is searched as it is typed. */
const COMPOSES_ALL = matchMedia("(pointer: coarse)").matches;

/** Its `saveData`: whether the reader asked the browser to save data. Some browsers have none. */
const { connection } = navigator as { connection?: { saveData?: boolean } };

/** Some private modes turn WebAssembly off. */
const HAS_ENGINE = "WebAssembly" in globalThis;

/** Languages that are searched at most for all words, once one has some of them. */
const MOST_SEARCHED_FOR_ALL = 3;

/** Languages that are searched at most for some words of a query. */
const MOST_SEARCHED_FOR_FEWER = 2;

/** Number of the latest search. After each `await`, a search compares its own number: a newer one may have begun. */
let latest = 0;
let shown: Search | undefined;
/** What is said before the number of answers. */
let note = "";
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
  note = "";
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

/** Goes to the author or tag that the text names exactly. */
async function goToName(own: number): Promise<void> {
  const address = await addressOfExact(new FormData(form));
  if (address !== undefined && own === latest) location.assign(address);
}

/** Shows the answers in the first language that has some, and offers the other languages with the same words. */
async function answer(fields: FormData, own: number): Promise<void> {
  const typed = readField();
  const query = await queryOf(fields, typed.text);
  const chosen = [valueOf(fields, "language")].filter((slug) => slug !== "");
  // A hint in the text is newer than a choice, or as clear.
  const slugs = typed.languages.length > 0 ? typed.languages : chosen;
  const ordered = inOrder(languagesOfSite(slugs), [pageLanguage(), ...preferredTags()]);
  const looked = lookUpLanguages(query, ordered, own);
  const names = await lookUpNames(typed);
  if (own !== latest) return;
  // Before the quotes, so that nothing moves.
  showNames(names);
  if (!HAS_ENGINE) {
    status.textContent = without;
    element(root, ".without", HTMLUListElement).hidden = false;
    return;
  }
  const { words, languages } = await looked;
  if (own !== latest) return;
  const asked = languages.length.toLocaleString(pageLanguage());
  status.textContent = languages.length > 1 ? fillIn(asking, asked) : "";
  const others = await answerIn(languages, query, own);
  if (own !== latest) return;
  if (shown !== undefined) {
    if (query.text !== "") await offerAll(query, others, words, own);
    return;
  }
  if (words !== undefined) await answerFewer(query, ordered, names, own);
  if (own !== latest) return;
  // Behind a filter another quote may have the words.
  const isFiltered = [...slugs, query.tag, query.length, query.among].some(Boolean);
  if (shown === undefined) status.textContent = isFiltered ? countOf(0) : noneFound(query.text);
  offerQueries(words?.similar(keysForQuotes(wordsForQuotes())) ?? []);
}

/**
 * Shows the answers of the first language that has some. Where they lack words, one of the same rank comes before it whose answers lack
 * none: of those that have these words, as the list knows.
 *
 * @param isForAll whether only answers count that lack no word
 * @returns the languages after it
 */
async function answerIn(
  languages: readonly Ranked[],
  query: Query,
  own: number,
  isForAll = false,
): Promise<readonly Ranked[]> {
  for (const [at, { language, standing }] of languages.entries()) {
    const search = openSearch(query, language, folder, standing?.spellings);
    const answers = await firstAnswers(search);
    if (own !== latest) return [];
    const { lacking } = search;
    if (answers.length === 0 || (isForAll && lacking.length > 0)) continue;
    const rest = languages.slice(at + 1);
    if (lacking.length > 0) {
      const others = await lookUpWords(lacking.join(" "), folder)
        .then((lacked) => {
          const having = rest.filter(
            (other) =>
              other.standing?.rank === standing?.rank &&
              isHaving(lacked.standingOf(other.language.slug)),
          );
          return answerIn(having.slice(0, MOST_SEARCHED_FOR_ALL), query, own, true);
        })
        // What other languages have is optional.
        .catch(() => []);
      if (own !== latest || shown !== undefined) return others;
    }
    await show(search, answers, query, own);
    return rest;
  }
  return [];
}

/** Shows what has all words apart, or some of them, where no quote has the query. Of a phrase in quotation marks, no part is meant. */
async function answerFewer(
  query: Query,
  ordered: readonly SearchLanguage[],
  names: readonly Name[],
  own: number,
): Promise<void> {
  if (isQuoted(query.text)) return;
  const slugs = ordered.map(({ slug }) => slug);
  const apart = query.text.replace(JOINERS, " ");
  const fewer = fewerWords(apart, names, wordsForQuotes(), slugs, folder);
  for (const text of [apart, ...(await fewer.catch(() => []))]) {
    if (own !== latest) return;
    if (text === query.text) continue;
    const { languages } = await lookUpLanguages({ ...query, text }, ordered, own);
    if (own !== latest) return;
    note = text === apart ? "" : withFewer(text);
    await answerIn(languages.slice(0, MOST_SEARCHED_FOR_FEWER), { ...query, text }, own);
    if (own !== latest || shown !== undefined) return;
  }
}

/** Looks up which languages have the words of a query. The engine of the first one is loaded while names are looked up. */
async function lookUpLanguages(query: Query, ordered: readonly SearchLanguage[], own: number) {
  const hasText = query.text !== "";
  const words = hasText ? await lookUpWords(query.text, folder).catch(() => undefined) : undefined;
  const languages = languagesAsked(query, ordered, words);
  const [first] = languages;
  const isWanted = HAS_ENGINE && hasText && own === latest;
  // A failure is shown by the search that needs it.
  if (isWanted && first !== undefined) openEngine(folder, first.language).catch(() => undefined);
  return { words, languages };
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
  words: LookedUp | undefined,
  own: number,
): Promise<void> {
  const having = others.filter(({ standing }) => standing === undefined || isHaving(standing));
  const isPlain = query.tag === "" && query.length === "" && query.among === null;
  if (words?.words === 1 && words.isWhole && isPlain) {
    for (const { language } of having) offerLanguage(language);
    return;
  }
  if (connection?.saveData === true) return;
  await new Promise((resolve) => setTimeout(resolve, OFFERS_PAUSE_MS));
  for (const { language, standing } of having.slice(0, MOST_SEARCHED_TO_OFFER)) {
    if (own !== latest) return;
    try {
      const search = openSearch(query, language, folder, standing?.spellings);
      const answers = await search.next();
      if (own === latest && answers.length > 0) offerLanguage(language);
    } catch {
      // What others have is optional.
      return;
    }
  }
}

async function queryOf(fields: FormData, text: string): Promise<Query> {
  const tag = root.querySelector<HTMLOptionElement>("[name=tag] option:checked");
  return {
    text,
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

/** Where no answer has some words that the index was not asked for, it says so, too. */
async function show(
  search: Search,
  answers: readonly Answer[],
  { text }: Query,
  own: number,
): Promise<void> {
  shown = search;
  const lacking = new Set(search.lacking);
  if (lacking.size > 0) {
    const words = splitWords(text).filter((word) => !lacking.has(word));
    note = withFewer(words.join(" "));
  }
  appendAnswers(search, answers, note);
  if (answers.length < ENOUGH) await showMore(search, own);
}

async function showMore(search: Search, own: number): Promise<void> {
  const next = await search.next();
  if (own !== latest) return;
  const hadFocus = document.activeElement === more;
  const first = list.children.length;
  appendAnswers(search, next, note);
  // A hidden button loses the focus.
  if (hadFocus && more.hidden) (linksOf(list)[first] ?? input).focus();
}

/** An input method uses Enter and the arrows itself. WebKit ends a composition before the key that ended it, with this code. */
const isForComposition = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === COMPOSITION_KEY;

/** Moves the focus between the field and the answers with the arrow keys. */
function moveFocus(event: KeyboardEvent): void {
  if (isForComposition(event)) return;
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.target instanceof HTMLSelectElement) return;
  const stops = [input, ...linksOf(list)];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

const parameters = new URLSearchParams(location.search);
for (const [name, value] of parameters) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
  else if (field instanceof HTMLInputElement) field.value = value.slice(0, LONGEST_QUERY);
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
  if (isForComposition(event)) return;
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
function onTyped(event: Event): void {
  clearTimeout(timer);
  // Half a composition is no word: "にh" on the way to "日本".
  if (event instanceof InputEvent && event.isComposing && !COMPOSES_ALL) return;
  // The first key loads the list of names.
  if (event.target === input) void suggestNames();
  timer = window.setTimeout(start, TYPING_PAUSE_MS);
}
form.oninput = onTyped;
form.addEventListener("compositionend", onTyped);
more.onclick = () => {
  const [search, own] = [shown, latest];
  if (search !== undefined) void runStep(own, () => showMore(search, own));
};
root.onkeydown = moveFocus;
if (parameters.size > 0) start();
else input.focus({ preventScroll: true });
