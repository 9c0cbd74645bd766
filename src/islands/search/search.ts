/**
 * The search page: reads `?q=` and the filters, searches as the reader types, and keeps the address in step.
 *
 * Nothing of the index is loaded before there is something to search for. The reader's languages come first; what other
 * languages have is offered below, once the first answers are shown.
 */
import { element, fillIn } from "../browser.ts";
import {
  ENOUGH,
  SURE,
  type Answer,
  languagesFor,
  searchIn,
  type LanguageAnswers,
  type SearchLanguage,
} from "./find.ts";
import { answerItem, offerItem } from "./items.ts";
import type { LengthStep, Query } from "./query.ts";

/** Milliseconds without a key before the search starts, and before other languages are searched as well. */
const PAUSE_MS = { search: 250, offers: 1_000 };

class QuoteSearch extends HTMLElement {
  readonly #form = element(this, "form", HTMLFormElement);
  readonly #input = element(this, "input", HTMLInputElement);
  readonly #status = element(this, "[role=status]", HTMLElement);
  readonly #list = element(this, ".found", HTMLOListElement);
  readonly #more = element(this, ".more-results", HTMLButtonElement);
  readonly #also = element(this, ".also", HTMLElement);
  #run = 0;
  #shown: LanguageAnswers | undefined;
  #timer = 0;
  #curated: Promise<ReadonlySet<number>> | undefined;

  connectedCallback(): void {
    const asked = new URLSearchParams(location.search);
    for (const [name, value] of asked) {
      const field = this.#form.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
      else if (field instanceof HTMLInputElement) field.value = value;
      else if (field instanceof HTMLSelectElement) {
        field.value = value;
        // An old link may name what is gone.
        if (field.selectedIndex < 0) field.value = "";
      }
    }
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.#form.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#start(), PAUSE_MS.search);
    });
    this.#more.addEventListener("click", () => {
      const run = this.#run;
      void this.#busy(run, () => this.#showMore(run));
    });
    this.addEventListener("keydown", (event) => this.#move(event));
    if (asked.size > 0) this.#start();
    else this.#input.focus({ preventScroll: true });
  }

  #start(): void {
    clearTimeout(this.#timer);
    const fields = new FormData(this.#form);
    const asked = [...fields.keys()]
      .map((name) => [name, valueOf(fields, name)] as const)
      .filter(([, value]) => value !== "");
    const address = new URL(location.href);
    address.search = new URLSearchParams(asked.map(([name, value]) => [name, value])).toString();
    history.replaceState(null, "", address);
    this.#list.replaceChildren();
    this.#shown = undefined;
    this.#more.hidden = this.#also.hidden = true;
    const run = ++this.#run;
    if (asked.length === 0) this.#status.textContent = "";
    else void this.#busy(run, () => this.#answer(fields, run));
  }

  /** Does one step of a search; what fails is said, unless another search began meanwhile. */
  async #busy(run: number, work: () => Promise<void>): Promise<void> {
    this.#list.ariaBusy = "true";
    try {
      await work();
    } catch (error) {
      if (run === this.#run) this.#status.textContent = this.dataset["failed"] ?? "";
      throw error;
    } finally {
      if (run === this.#run) this.#list.ariaBusy = "false";
    }
  }

  /** Shows the first answers and offers the other languages. After each wait another search may have begun. */
  async #answer(fields: FormData, run: number): Promise<void> {
    const query = await this.#query(fields);
    const chosen = valueOf(fields, "language");
    const found = searchIn(this.#languages(query, chosen), query, this.dataset["folder"] ?? "");
    const unsure: LanguageAnswers[] = [];
    try {
      for await (const one of found) {
        if (run !== this.#run) return;
        if (this.#shown !== undefined) this.#offer(one);
        else if (!isSure(one, query)) unsure.push(one);
        else {
          await this.#show(one, run);
          for (const other of unsure.splice(0)) this.#offer(other);
          if (query.text === "" || savesData()) return;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS.offers));
          if (run !== this.#run) return;
        }
      }
    } catch (error) {
      // What the other languages have is an offer: the answers are there without it.
      if (this.#shown === undefined) throw error;
    }
    if (run !== this.#run || this.#shown !== undefined) return;
    const [best, ...others] = unsure.sort((a, b) => scoreOf(b) - scoreOf(a));
    if (best === undefined) this.#status.textContent = this.dataset["none"] ?? "";
    else await this.#show(best, run);
    for (const other of others) if (run === this.#run) this.#offer(other);
  }

  async #query(fields: FormData): Promise<Query> {
    const tag = this.querySelector<HTMLOptionElement>("[name=tag] option:checked");
    return {
      text: valueOf(fields, "q"),
      tag: valueOf(fields, "tag") === "" ? "" : (tag?.text ?? ""),
      length: valueOf(fields, "length") as LengthStep,
      among: valueOf(fields, "curated") === "" ? null : await this.#curatedIds(),
    };
  }

  #curatedIds(): Promise<ReadonlySet<number>> {
    this.#curated ??= fetch(`${this.dataset["folder"]}curated.json`).then(async (answer) => {
      if (!answer.ok) throw new Error(`Cannot read ${answer.url}: ${answer.status}`);
      return new Set((await answer.json()) as number[]);
    });
    return this.#curated;
  }

  #languages(query: Query, chosen: string): SearchLanguage[] {
    const options = [...this.querySelectorAll<HTMLOptionElement>("[name=language] option")];
    const all = options
      .filter(({ value }) => value !== "" && (chosen === "" || value === chosen))
      .map(({ value, lang }) => ({ slug: value, tag: lang }));
    return languagesFor(query, all, [...navigator.languages, document.documentElement.lang]);
  }

  async #show(answers: LanguageAnswers, run: number): Promise<void> {
    this.#shown = answers;
    this.#append(answers.answers);
    if (answers.answers.length < ENOUGH) await this.#showMore(run);
  }

  async #showMore(run: number): Promise<void> {
    const next = (await this.#shown?.search.next()) ?? [];
    if (run !== this.#run) return;
    const asked = document.activeElement === this.#more;
    const first = this.#list.children.length;
    this.#append(next);
    // A hidden button keeps no focus.
    if (asked && this.#more.hidden) (this.#answers[first] ?? this.#input).focus();
  }

  #append(answers: readonly Answer[]): void {
    const { results = "", none = "", base = "/" } = this.dataset;
    const option = this.#option(this.#shown);
    this.#list.append(...answers.map(({ card }) => answerItem(this, card, option, base)));
    const more = this.#shown?.search.more === true;
    const count = this.#list.children.length;
    this.#status.textContent =
      count === 0 && !more ? none : fillIn(results, `${count}${more ? "+" : ""}`);
    this.#more.hidden = !more;
  }

  #offer(other: LanguageAnswers): void {
    if (other.answers.length === 0) return;
    const address = new URL(location.href);
    address.searchParams.set("language", other.language.slug);
    const count = `${other.answers.length}${other.search.more ? "+" : ""}`;
    const list = element(this.#also, "ul", HTMLUListElement);
    if (this.#also.hidden) list.replaceChildren();
    list.append(offerItem(this.#option(other), count, address.href));
    this.#also.hidden = false;
  }

  #option(answers: LanguageAnswers | undefined): HTMLOptionElement {
    const slug = CSS.escape(answers?.language.slug ?? "");
    return element(this, `[name=language] option[value="${slug}"]`, HTMLOptionElement);
  }

  get #answers(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>("li > a")];
  }

  /** Arrow keys lead from the field into the answers and back. */
  #move(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (event.target instanceof HTMLSelectElement) return;
    const stops = [this.#input, ...this.#answers];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}

function valueOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** Filters alone leave nothing to doubt. */
const isSure = (found: LanguageAnswers, { text }: Query): boolean =>
  text === "" ? found.answers.length > 0 : scoreOf(found) >= SURE;

const scoreOf = ({ answers }: LanguageAnswers): number => answers[0]?.score ?? 0;

/** Whether the reader asked the browser to load little. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

customElements.define("quote-search", QuoteSearch);
