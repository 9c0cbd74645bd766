/** The page of favourites: the list, and its way into a file and back. */
import { element, fillIn, make, tagItems, type Outcome } from "../browser.ts";
import type { BookWords } from "./epub.ts";
import {
  exported,
  keyOf,
  merge,
  parseFavourites,
  readFavourites,
  writeFavourites,
  type Kept,
} from "./store.ts";

/** Quotes shown at once; ten thousand would keep a phone busy. */
const SCREENFUL = 100;

/** A larger file is no list of favourites. */
const MOST_BYTES = 50_000_000;

function download(content: BlobPart, type: string, name: string): void {
  const href = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href, download: name });
  link.click();
  URL.revokeObjectURL(href);
}

class QuoteFavourites extends HTMLElement {
  readonly #list = element(this, "ol", HTMLOListElement);
  readonly #status = element(this, "[role=status]", HTMLElement);
  readonly #tools = element(this, ".tools", HTMLElement);
  readonly #more = element(this, ".more-results", HTMLButtonElement);
  readonly #file = element(this, "input[type=file]", HTMLInputElement);
  readonly #item = element(this, "template", HTMLTemplateElement);
  #kept: readonly Kept[] = [];
  #shown = 0;

  connectedCallback(): void {
    this.#tools.hidden = element(this, ".how", HTMLElement).hidden = false;
    this.#more.addEventListener("click", () => {
      const first = this.#list.children.length;
      this.#show();
      // A hidden button keeps no focus.
      if (this.#more.hidden) this.#list.children[first]?.querySelector("a")?.focus();
    });
    element(this, ".export", HTMLButtonElement).addEventListener("click", () => this.#export());
    this.#file.addEventListener("change", () => void this.#import(this.#file.files?.[0]));
    this.#takeDropped();
    element(this, ".book", HTMLButtonElement).addEventListener("click", () => void this.#bind());
    addEventListener("storage", ({ key }) => {
      if (key === null || key === keyOf(this.#base)) this.#read();
    });
    // A page in the back-forward cache gets no storage events.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#read();
    });
    this.#read();
  }

  get #base(): string {
    return this.dataset["base"] ?? "/";
  }

  #say(message: string | null, value = ""): void {
    this.#status.textContent = message === null ? "" : fillIn(this.dataset[message] ?? "", value);
  }

  /** Shows what the browser keeps by now, which another tab may have changed. */
  #read(): void {
    const { list, trouble } = readFavourites(this.#base);
    this.#kept = list;
    this.#list.replaceChildren();
    this.#shown = 0;
    this.#show();
    this.#say(trouble ?? (list.length === 0 ? "empty" : null));
  }

  /** Shows the next screenful, newest first. */
  #show(): void {
    const newestFirst = this.#kept.toReversed();
    const next = newestFirst.slice(this.#shown, this.#shown + SCREENFUL);
    this.#list.append(...next.map((kept) => this.#itemOf(kept)));
    this.#shown += next.length;
    this.#more.hidden = this.#shown >= this.#kept.length;
  }

  #itemOf(kept: Kept): DocumentFragment {
    const item = this.#item.content.cloneNode(true) as DocumentFragment;
    const link = element(item, "a", HTMLAnchorElement);
    const quote = element(item, "blockquote", HTMLElement);
    link.href = this.#base + kept.path.slice(1);
    quote.textContent = kept.quote;
    quote.lang = kept.lang;
    const by = element(item, ".by a", HTMLAnchorElement);
    by.textContent = kept.author;
    if (kept.by) by.href = this.#base + kept.by.slice(1);
    element(item, ".notes", HTMLElement).append(...tagItems(kept.tags ?? [], this.#base));
    const row = element(item, "li", HTMLLIElement);
    row.dir = kept.dir;
    element(item, "button", HTMLButtonElement).addEventListener("click", () => {
      // Another tab may have kept something since.
      const without = readFavourites(this.#base).list.filter(({ pk }) => pk !== kept.pk);
      if (!this.#store(without)) return;
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      this.#shown--;
      (neighbour?.querySelector("a") ?? this.#file).focus();
      this.#say(without.length === 0 ? "empty" : null);
    });
    return item;
  }

  #store(list: readonly Kept[]): boolean {
    const outcome: Outcome = writeFavourites(this.#base, list);
    if (outcome !== "done") {
      this.#say(outcome);
      return false;
    }
    this.#kept = list;
    return true;
  }

  #export(): void {
    download(exported(this.#kept), "application/json", "favourites.json");
  }

  /** The code for it comes with the first book. */
  async #bind(): Promise<void> {
    if (this.#kept.length === 0) return this.#say("empty");
    try {
      const { bookOf } = await import("./epub.ts");
      const words = JSON.parse(this.dataset["book"] ?? "") as BookWords;
      const base = new URL(this.#base, location.href).href;
      const imprint = { now: new Date(), id: randomUuid() };
      const newestFirst = this.#kept.toReversed();
      download(
        bookOf(newestFirst, words, base, imprint),
        "application/epub+zip",
        "favourites.epub",
      );
    } catch (error) {
      this.#say("bookFailed");
      throw error;
    }
  }

  /** A file that is dropped on the list is imported. */
  #takeDropped(): void {
    const mark = (event: DragEvent, isOver: boolean): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      // Else the browser opens the file in place of the page.
      event.preventDefault();
      this.toggleAttribute("data-over", isOver);
    };
    this.addEventListener("dragover", (event) => mark(event, true));
    this.addEventListener("dragleave", (event) => mark(event, false));
    this.addEventListener("drop", (event) => {
      mark(event, false);
      void this.#import(event.dataTransfer?.files[0]);
    });
  }

  async #import(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const list = file.size > MOST_BYTES ? null : parseFavourites(await file.text());
    this.#file.value = "";
    if (list === null) return this.#say("notImported");
    const before = readFavourites(this.#base).list;
    const after = merge(before, list);
    if (!this.#store(after)) return;
    this.#read();
    this.#say("imported", String(after.length - before.length));
  }
}

/** `crypto.randomUUID()` is missing where a site is read over http. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{3})(.{3})/, "$1-$2-4$3-8$4-");
}

customElements.define("quote-favourites", QuoteFavourites);
