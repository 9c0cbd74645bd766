/** The page of favourites: the list, its export and its import. */
import { makeListItem } from "../listed-quote.ts";
import { element, favouritesKey, fillIn, make, onStorageChange } from "../browser.ts";
import type { EpubWords } from "./epub.ts";
import { parseFavourites, readFavourites, writeFavourites, type Favourite } from "./store.ts";

/** Quotes shown at once; ten thousand would take a phone too long. */
const BATCH = 100;

/** A larger file is not a list of favourites. */
const MAX_BYTES = 50_000_000;

const root = element(document, "quote-favourites", HTMLElement);
const { base = "/" } = root.dataset;
const list = element(root, "ol", HTMLOListElement);
const more = element(root, ".more-results", HTMLButtonElement);
const input = element(root, "input[type=file]", HTMLInputElement);

let kept: readonly Favourite[] = [];
let shown = 0;

function say(message: string | null, value = ""): void {
  const text = message === null ? "" : fillIn(root.dataset[message] ?? "", value);
  element(root, "[role=status]", HTMLElement).textContent = text;
}

/** Shows the stored favourites, which another tab may have changed. */
function read(): void {
  const favourites = readFavourites(base);
  const isBlocked = favourites.trouble === "blocked";
  element(root, ".tools", HTMLElement).hidden = element(root, ".how", HTMLElement).hidden =
    isBlocked;
  kept = favourites.list;
  shown = 0;
  list.replaceChildren();
  show();
  say(favourites.trouble ?? (kept.length === 0 ? "empty" : null));
  void warn();
}

/** Shows the next batch, newest first. */
function show(): void {
  const next = kept.toReversed().slice(shown, shown + BATCH);
  list.append(...next.map(itemOf));
  shown += next.length;
  more.hidden = shown >= kept.length;
}

/** Says that the browser may delete the list, where it does not promise to keep it. */
async function warn(): Promise<void> {
  const isSafe = kept.length === 0 || ((await navigator.storage?.persisted?.()) ?? false);
  element(root, ".may-go", HTMLElement).hidden = isSafe;
}

function itemOf(quote: Favourite): DocumentFragment {
  const item = makeListItem(root, base, quote, [quote.quote]);
  const row = element(item, "li", HTMLLIElement);
  element(item, "button", HTMLButtonElement).onclick = () => {
    // Another tab may have added favourites since.
    const without = readFavourites(base).list.filter(({ pk }) => pk !== quote.pk);
    if (!write(without)) return;
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    shown--;
    (neighbour?.querySelector("a") ?? input).focus();
    say(without.length === 0 ? "empty" : null);
  };
  return item;
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
    const book = makeEpub(kept.toReversed(), words, address, imprint);
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
  const found = parseFavourites(text);
  input.value = "";
  if (found === null) return say("notImported");
  const before = readFavourites(base).list;
  // Of repeated quotes, the stored one is kept.
  const byPk = Map.groupBy([...before, ...found], ({ pk }) => pk);
  const after = [...byPk.values()].flatMap((same) => same.slice(0, 1));
  if (!write(after)) return;
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
  show();
  // A hidden button loses the focus.
  if (more.hidden) list.children[first]?.querySelector("a")?.focus();
};
element(root, ".export", HTMLButtonElement).onclick = () => {
  const file = { format: "commonplace-favourites", version: 1, favourites: kept };
  download(JSON.stringify(file, null, 1), "application/json", "favourites.json");
};
element(root, ".book", HTMLButtonElement).onclick = () => void downloadBook();
input.onchange = () => void importFile(input.files?.[0]);
root.ondragover = root.ondragleave = root.ondrop = dragged;
onStorageChange((key) => {
  if (key === null || key === favouritesKey(base)) read();
});
read();
