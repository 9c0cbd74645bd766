/**
 * The search page: reads `?q=` and the filters, searches as the reader types, and keeps the address in step.
 *
 * Nothing of the index is loaded before there is something to search for.
 */
import type { FoundQuote } from "./blocks.ts";
import { Search } from "./find.ts";
import type { LengthStep, Query } from "./query.ts";
import { element, fillIn } from "../dom.ts";

/** Milliseconds without a key before the search starts. */
const PAUSE_MS = 250;

class QuoteSearch extends HTMLElement {
  readonly #form = element(this, "form", HTMLFormElement);
  readonly #input = element(this, "input", HTMLInputElement);
  readonly #status = element(this, "[role=status]", HTMLElement);
  readonly #list = element(this, "ol", HTMLOListElement);
  readonly #more = element(this, ".more-results", HTMLButtonElement);
  readonly #item = element(this, "template", HTMLTemplateElement);
  #search: Search | undefined;
  #shown = 0;
  #timer = 0;

  connectedCallback(): void {
    this.#form.hidden = false;
    const asked = new URLSearchParams(location.search);
    for (const [name, value] of asked) {
      const field = this.#form.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
      else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        field.value = value;
    }
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.#form.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#start(), PAUSE_MS);
    });
    this.#more.addEventListener("click", () => void this.#show(this.#search));
    this.addEventListener("keydown", (event) => this.#move(event));
    if (asked.size > 0) this.#start();
    else this.#input.focus({ preventScroll: true });
  }

  #start(): void {
    clearTimeout(this.#timer);
    const fields = new FormData(this.#form);
    const value = (name: string): string => {
      const field = fields.get(name);
      return typeof field === "string" ? field.trim() : "";
    };
    const query: Query = {
      text: value("q"),
      language: value("language"),
      tag: value("tag"),
      length: value("length") as LengthStep,
      curated: value("curated") !== "",
    };
    const address = new URL(location.href);
    address.search = new URLSearchParams(
      [...fields.keys()].map((name) => [name, value(name)]).filter(([, set]) => set !== ""),
    ).toString();
    history.replaceState(null, "", address);
    this.#search = new Search(query, this.dataset["folder"] ?? "");
    this.#list.replaceChildren();
    this.#shown = 0;
    void this.#show(this.#search);
  }

  /** Shows the next answers, unless another search began meanwhile. */
  async #show(search: Search | undefined): Promise<void> {
    if (search === undefined) return;
    this.#more.hidden = true;
    this.#list.ariaBusy = "true";
    try {
      const found = await search.next();
      if (search !== this.#search) return;
      this.#list.append(...found.map((quote) => this.#itemOf(quote)));
      this.#shown += found.length;
      const { results = "", none = "" } = this.dataset;
      const text = this.#shown === 0 ? none : fillIn(results, String(this.#shown));
      this.#status.textContent = this.#input.value === "" && this.#shown === 0 ? "" : text;
      this.#more.hidden = !search.more;
    } catch (error) {
      if (search === this.#search) this.#status.textContent = this.dataset["failed"] ?? "";
      throw error;
    } finally {
      this.#list.ariaBusy = "false";
    }
  }

  #itemOf({ path, text, author, language }: FoundQuote): DocumentFragment {
    const item = this.#item.content.cloneNode(true) as DocumentFragment;
    const link = element(item, "a", HTMLAnchorElement);
    const quote = element(item, "blockquote", HTMLElement);
    const option = this.querySelector<HTMLOptionElement>(
      `option[data-code="${CSS.escape(language)}"]`,
    );
    link.href = (this.dataset["base"] ?? "/") + path.slice(1);
    quote.lang = option?.lang ?? "";
    quote.dir = option?.dir || "auto";
    quote.textContent = text;
    element(item, ".by", HTMLElement).textContent = author ?? this.dataset["unknown"] ?? "";
    return item;
  }

  /** Arrow keys lead from the field into the answers and back. */
  #move(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (event.target instanceof HTMLSelectElement) return;
    const stops = [this.#input, ...this.#list.querySelectorAll("a")];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}

customElements.define("quote-search", QuoteSearch);
