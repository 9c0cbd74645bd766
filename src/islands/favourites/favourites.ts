/**
 * The page of favourites, a book of one's own: the list with its notes and its order, a filter and groups for many quotes, its
 * export and its import.
 */
import { fitOf } from "../../contract/quote-fit.ts";
import rules from "../../styles/book.css?inline";
import { makeListItem } from "../listed-quote.ts";
import {
  announce,
  element,
  favouritesKey,
  fillIn,
  make,
  onStorageChange,
  readStorage,
  writeStorage,
} from "../browser.ts";
import { addSheet } from "../own-sheet.ts";
import { arrange, sift, type Group, type Grouping } from "./arrange.ts";
import type { EpubWords } from "./epub.ts";
import { parseBook, readFavourites, titleKey, writeFavourites, type Favourite } from "./store.ts";

/** Quotes shown at once; ten thousand would take a phone too long. */
const BATCH = 100;

/** A larger file is not a list of favourites. */
const MAX_BYTES = 50_000_000;

/** With more quotes than these there is a filter. */
const FEW = 10;

/** Pause after a key before a note is stored. */
const TYPING_PAUSE_MS = 400;

addSheet(rules);

const root = element(document, "quote-favourites", HTMLElement);
const { base = "/" } = root.dataset;
const { lang } = document.documentElement;
const list = element(root, "ol", HTMLOListElement);
const more = element(root, ".more-results", HTMLButtonElement);
const input = element(root, "input[type=file]", HTMLInputElement);
const tools = element(root, ".tools:not(.sift)", HTMLElement);
const sifter = element(root, ".sift", HTMLElement);
const filter = element(sifter, "input", HTMLInputElement);
const grouping = element(sifter, "select", HTMLSelectElement);
const titleField = element(root, ".titled input", HTMLInputElement);
const begin = element(root, ".begin", HTMLElement);
const heading = element(document, "h1 bdi", HTMLElement);

let kept: readonly Favourite[] = [];
/** What is still to be shown, in order. */
let waiting: (readonly [heading: string | null, quote: Favourite])[] = [];

function say(message: string | null, value = ""): void {
  const text = message === null ? "" : fillIn(root.dataset[message] ?? "", value);
  element(root, "[role=status]", HTMLElement).textContent = text;
}

const isEdited = (): boolean => document.activeElement instanceof HTMLTextAreaElement;

/** Shows the stored favourites, which another tab may have changed. */
function read(): void {
  // A note is written here: it must not lose the focus.
  if (isEdited()) return;
  const isInBeginning = begin.contains(document.activeElement);
  const favourites = readFavourites(base);
  kept = favourites.list;
  const isEmpty = kept.length === 0;
  tools.hidden = favourites.trouble === "blocked";
  for (const tool of tools.querySelectorAll<HTMLElement>(".of-book")) tool.hidden = isEmpty;
  if (!isEmpty || tools.hidden) begin.hidden = true;
  else void showBeginning();
  sifter.hidden = kept.length <= FEW;
  const title = readStorage(titleKey(base)) ?? "";
  titleField.value = title;
  heading.textContent = title || (root.dataset["title"] ?? "");
  show();
  // What is hidden loses the focus.
  if (isInBeginning && begin.hidden) list.querySelector<HTMLElement>("a")?.focus();
  if (favourites.trouble ?? isEmpty) say(favourites.trouble ?? "empty");
  void warn();
}

/** Shows quotes to begin with, once their typefaces are there: a browser asks for those of hidden text too late. */
async function showBeginning(): Promise<void> {
  const faces = Array.from(begin.querySelectorAll("blockquote, .by"), (text) =>
    document.fonts.load(getComputedStyle(text).font, text.textContent),
  );
  await Promise.allSettled(faces);
  begin.hidden = kept.length > 0;
}

/** Shows the list from its beginning. */
function show(): void {
  const quotes = sift(kept.toReversed(), sifter.hidden ? "" : filter.value);
  const by = sifter.hidden ? "own" : (grouping.value as Grouping);
  const groups = arrange(quotes, by, new Intl.Collator(lang).compare);
  waiting = groups.flatMap((group) =>
    group.quotes.map((quote, at) => [at === 0 ? nameOf(group, by) : null, quote] as const),
  );
  // The order is of the whole list.
  root.toggleAttribute("data-sifted", by !== "own" || quotes.length < kept.length);
  list.replaceChildren();
  showMore();
  say(kept.length > 0 && quotes.length === 0 ? "none" : null);
}

function nameOf({ name }: Group, by: Grouping): string | null {
  if (name === null) return null;
  if (name === "") return "—";
  return by === "day"
    ? new Date(name).toLocaleDateString(lang, { dateStyle: "long", timeZone: "UTC" })
    : name;
}

function showMore(most = BATCH): void {
  for (const [heading, quote] of waiting.splice(0, most)) {
    if (heading !== null) list.append(make("li", {}, make("h2", { dir: "auto" }, heading)));
    list.append(itemOf(quote));
  }
  more.hidden = waiting.length === 0;
}

/** Says that the browser may delete the list, where it does not promise to keep it. */
async function warn(): Promise<void> {
  const isSafe = kept.length === 0 || ((await navigator.storage?.persisted?.()) ?? false);
  element(root, ".may-go", HTMLElement).hidden = isSafe;
}

function itemOf(quote: Favourite): DocumentFragment {
  const item = makeListItem(root, base, quote, [quote.quote]);
  const row = element(item, "li", HTMLLIElement);
  const button = (name: string) => element(item, name, HTMLButtonElement);
  row.dataset["fit"] = fitOf(quote.quote);
  row.dataset["pk"] = String(quote.pk);
  const day = element(item, "time", HTMLTimeElement);
  if (quote.at === undefined) day.parentElement?.remove();
  else
    Object.assign(day, {
      dateTime: quote.at,
      textContent: new Date(quote.at).toLocaleDateString(lang, { dateStyle: "long" }),
    });
  addNote(item, quote);
  button(".remove").onclick = () => remove(quote, row);
  button(".up").onclick = () => move(row, row.previousElementSibling, ".up");
  button(".down").onclick = () => move(row, row.nextElementSibling, ".down");
  button(".handle").onpointerdown = (event) => drag(event, row);
  return item;
}

function addNote(item: DocumentFragment, { pk, note = "" }: Favourite): void {
  const field = element(item, "textarea", HTMLTextAreaElement);
  const output = element(item, "output", HTMLOutputElement);
  const noted = make("p", { className: "noted", dir: "auto" }, note);
  let timer = 0;
  const save = (): void => {
    clearTimeout(timer);
    const text = field.value.trim();
    const now = readFavourites(base).list;
    if ((now.find((one) => one.pk === pk)?.note ?? "") === text) return;
    if (!write(now.map((one) => (one.pk === pk ? { ...one, note: text } : one)))) return;
    noted.textContent = text;
    output.textContent = root.dataset["saved"] ?? "";
  };
  field.value = note;
  field.oninput = () => {
    output.textContent = "";
    clearTimeout(timer);
    timer = window.setTimeout(save, TYPING_PAUSE_MS);
  };
  field.onblur = save;
  // A reader who leaves at once does not lose the last words.
  addEventListener("pagehide", save);
  field.parentElement?.after(noted);
}

function remove(quote: Favourite, row: HTMLElement): void {
  // Another tab may have added favourites since.
  const now = readFavourites(base).list;
  const at = now.findIndex(({ pk }) => pk === quote.pk);
  if (!write(now.filter(({ pk }) => pk !== quote.pk))) return;
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  const pk = neighbour instanceof HTMLElement ? neighbour.dataset["pk"] : undefined;
  read();
  (list.querySelector<HTMLElement>(`[data-pk="${pk}"] a`) ?? input).focus();
  const undo = make("button", { type: "button" }, root.dataset["undo"] ?? "");
  undo.onclick = () => {
    const after = readFavourites(base).list;
    if (write(after.toSpliced(Math.max(0, at), 0, ...now.slice(at, at + 1)))) read();
    list.querySelector<HTMLElement>(`[data-pk="${quote.pk}"] a`)?.focus();
    announce("");
  };
  announce(root.dataset["removed"] ?? "", undo);
}

/** Moves a quote to the place of another. @param button the selector of the button that gets the focus again */
function move(row: HTMLElement, other: Element | null, button: string): void {
  if (other === null) return;
  if (row.previousElementSibling === other) other.before(row);
  else other.after(row);
  storeOrder();
  row.querySelector<HTMLElement>(button)?.focus();
}

/** Stores the order of the items that are shown; those below them stay. */
function storeOrder(): void {
  const pks = Array.from(list.children, (row) => Number((row as HTMLElement).dataset["pk"]));
  const now = readFavourites(base).list.toReversed();
  const shown = pks.flatMap((pk) => now.find((quote) => quote.pk === pk) ?? []);
  const others = now.filter(({ pk }) => !pks.includes(pk));
  if (!write([...shown, ...others].reverse())) read();
}

/** Moves an item with the pointer that holds its handle. The others move around it: in another place it would lose the pointer. */
function drag(event: PointerEvent, row: HTMLElement): void {
  const handle = event.currentTarget as HTMLElement;
  handle.setPointerCapture(event.pointerId);
  event.preventDefault();
  row.classList.add("moving");
  handle.onpointermove = ({ clientY }) => {
    const rows = [...list.children];
    const at = rows.indexOf(row);
    const middleOf = (other: Element): number => {
      const { top, height } = other.getBoundingClientRect();
      return top + height / 2;
    };
    const above = rows.findIndex((other, place) => place < at && clientY < middleOf(other));
    const below = rows.findLastIndex((other, place) => place > at && clientY > middleOf(other));
    if (above >= 0) row.after(...rows.slice(above, at));
    else if (below >= 0) row.before(...rows.slice(at + 1, below + 1));
  };
  handle.onlostpointercapture = () => {
    handle.onpointermove = handle.onlostpointercapture = null;
    row.classList.remove("moving");
    storeOrder();
  };
}

function write(next: readonly Favourite[]): boolean {
  const outcome = writeFavourites(base, next);
  if (outcome === "done") kept = next;
  else say(outcome);
  return outcome === "done";
}

function download(content: BlobPart, type: string, name: string): void {
  const href = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** The code for EPUB is loaded at the first use. */
async function downloadBook(): Promise<void> {
  if (kept.length === 0) return say("empty");
  try {
    const { makeEpub } = await import("./epub.ts");
    const words = JSON.parse(root.dataset["book"] ?? "") as EpubWords;
    const address = new URL(base, location.href).href;
    const imprint = { now: new Date(), id: randomUuid() };
    const title = titleField.value.trim() || words.title;
    const book = makeEpub(kept.toReversed(), { ...words, title }, address, imprint);
    download(book, "application/epub+zip", "favourites.epub");
  } catch (error) {
    say("bookFailed");
    throw error;
  }
}

/** `crypto.randomUUID()` is missing on sites without https. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{3})(.{3})/, "$1-$2-4$3-8$4-");
}

async function importFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  // `text()` fails for a folder.
  const text = file.size > MAX_BYTES ? "" : await file.text().catch(() => "");
  const found = parseBook(text);
  input.value = "";
  if (found === null) return say("notImported");
  const before = readFavourites(base).list;
  // Of repeated quotes, the stored one is kept.
  const byPk = Map.groupBy([...before, ...found.favourites], ({ pk }) => pk);
  const after = [...byPk.values()].flatMap((same) => same.slice(0, 1));
  if (!write(after)) return;
  if (titleField.value === "" && found.title !== "") writeStorage(titleKey(base), found.title);
  read();
  say("imported", (after.length - before.length).toLocaleString(document.documentElement.lang));
}

/** Imports a file that is dropped on the list. */
function dragged(event: DragEvent): void {
  if (event.dataTransfer?.types.includes("Files") === true) {
    // Otherwise the browser opens the file.
    event.preventDefault();
    root.toggleAttribute("data-over", event.type === "dragover");
  }
  if (event.type === "drop") void importFile(event.dataTransfer?.files[0]);
}

more.onclick = () => {
  const first = list.children.length;
  showMore();
  // A hidden button loses the focus.
  if (more.hidden) list.children[first]?.querySelector("a")?.focus();
};
filter.oninput = grouping.onchange = show;
titleField.oninput = () => {
  const title = titleField.value.trim();
  writeStorage(titleKey(base), title || null);
  heading.textContent = title || (root.dataset["title"] ?? "");
};
element(root, ".print", HTMLButtonElement).onclick = () => print();
addEventListener("beforeprint", () => showMore(Infinity));
element(root, ".export", HTMLButtonElement).onclick = () => {
  const title = titleField.value.trim();
  const file = { format: "commonplace-favourites", version: 1, title, favourites: kept };
  download(JSON.stringify(file, null, 1), "application/json", "favourites.json");
};
element(root, ".book", HTMLButtonElement).onclick = () => void downloadBook();
input.onchange = () => void importFile(input.files?.[0]);
root.ondragover = root.ondragleave = root.ondrop = dragged;
onStorageChange((key) => {
  if (key === null || key === favouritesKey(base)) read();
});
read();
