/** What the islands need of a browser: elements, `localStorage`, which it may refuse, and the words of the page. */
import type { Translation } from "../i18n/languages/en.ts";

/** @throws {TypeError} when the page does not have what the island was written for */
export function element<E extends Element>(
  root: ParentNode,
  selector: string,
  type: abstract new () => E,
): E {
  const found = root.querySelector(selector);
  if (found instanceof type) return found;
  throw new TypeError(`Cannot find ${selector}: the page has none`);
}

/** Fills the one placeholder of a message. */
export function fillIn(message: string, value: string): string {
  return message.replace(/\{\w+\}/, () => value);
}

/** A new element with properties of its own and what it holds. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** `full`: there is no room; `blocked`: the browser gives no storage. */
export type Outcome = "done" | "full" | "blocked";

/** Null where there is nothing; undefined where the browser gives no storage. */
export function stored(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** @param value null removes it */
export function store(key: string, value: string | null): Outcome {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return "done";
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return error.name === "QuotaExceededError" ? "full" : "blocked";
  }
}

/**
 * Calls when another tab has stored something: with its key, or null for any, as after a time in the back-forward cache,
 * where a page gets no such events.
 */
export function onStorage(run: (key: string | null) => void): void {
  addEventListener("storage", ({ key }) => run(key));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) run(null);
  });
}

/** What the script of every page says: a block of data, once a page, in the page's language. */
export interface PageWords
  extends
    Pick<
      Translation["reader"],
      | ("search" | "next" | "previous" | "random" | "shortcuts" | "shortcutsOn" | "close")
      | ("unkeep" | "actions" | "copied" | "copyFailed" | "full" | "blocked" | "damaged")
    >,
    /** Where there is voting. */
    Partial<Pick<Translation["vote"]["card"], "report" | "confirm">> {
  /** The site's base path. */
  readonly base: string;
  /** Whether visited pages are kept. */
  readonly offline: boolean;
  /** What can be done with a quote, in the order of the menu, by what `perform()` takes. */
  readonly acts: Readonly<Record<string, string>>;
}

let words: PageWords | undefined;

export function pageWords(): PageWords {
  const text = element(document, "#page-words", HTMLElement).textContent;
  return (words ??= JSON.parse(text) as PageWords);
}

/** Adds what only scripts use to the end of the page. */
export function addToPage(...nodes: readonly Node[]): void {
  element(document, "#page-status", HTMLElement).after(...nodes);
}

/** Says it on the screen and to screen readers. */
export function announce(text: string): void {
  const status = element(document, "#page-status", HTMLElement);
  status.textContent = "";
  // The same words twice in a row are a change only when there was a moment without them.
  setTimeout(() => (status.textContent = text), 50);
}
