/** Helpers of the islands: elements, `localStorage`, which a browser may refuse, and the texts of the page. */
import type { Translation } from "../i18n/languages/en.ts";

/** Finds an element. @throws {TypeError} when the page has none */
export function element<E extends Element>(
  root: ParentNode,
  selector: string,
  type: abstract new () => E,
): E {
  const found = root.querySelector(selector);
  if (found instanceof type) return found;
  throw new TypeError(`Cannot find ${selector}: the page has none`);
}

/** Fills the only placeholder of a message. */
export function fillIn(message: string, value: string): string {
  return message.replace(/\{\w+\}/, () => value);
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** `full`: the quota is exceeded; `blocked`: the browser refuses storage. */
export type StorageOutcome = "done" | "full" | "blocked";

/** Reads an entry of `localStorage`; null where there is none, undefined where the browser refuses storage. */
export function readStorage(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** @param value null removes the entry */
export function writeStorage(key: string, value: string | null): StorageOutcome {
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
 * Calls `run` with the key when another tab changes an entry. The key is null where any entry may have changed, as after a
 * time in the back-forward cache, where a page gets no such events.
 */
export function onStorageChange(run: (key: string | null) => void): void {
  addEventListener("storage", ({ key }) => run(key));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) run(null);
  });
}

/** The texts and settings of the scripts, in the page's language: a data block of each page. */
export interface PageWords
  extends
    Pick<
      Translation["reader"],
      | ("search" | "next" | "previous" | "random" | "shortcuts" | "shortcutsOn" | "close")
      | ("keep" | "copied" | "copyFailed" | "full" | "blocked" | "damaged")
    >,
    Pick<Translation["card"], "kept">,
    Pick<Translation["book"], "removed" | "undo" | "all" | "copyAs">,
    /** Only where voting is on. */
    Partial<Pick<Translation["vote"]["card"], "report" | "confirm">> {
  /** The site's base path. */
  readonly base: string;
  /** Whether a service worker caches visited pages. */
  readonly offline: boolean;
  /** Only where a service worker caches pages. */
  readonly copyFrom?: string;
  /** Labels of the first actions of the menu of a card, in order, by the argument of `perform()`. */
  readonly acts: Readonly<Record<string, string>>;
  /** Of the dialog that makes a picture. */
  readonly image: Translation["image"];
  /** Labels of the formats of a copy, in the same way. */
  readonly copies: Readonly<Record<string, string>>;
}

let words: PageWords | undefined;

export function pageWords(): PageWords {
  const text = element(document, "#page-words", HTMLElement).textContent;
  return (words ??= JSON.parse(text) as PageWords);
}

/** Adds elements that only scripts use to the end of the page. */
export function addToPage(...nodes: readonly Node[]): void {
  element(document, "#page-status", HTMLElement).after(...nodes);
}

/** Time after which a message goes, since it covers the end of the window. */
export const MESSAGE_MS = 10_000;

let timer = 0;

/** Shows a message for a while, and announces it to screen readers. It stays while one of its controls has the focus. */
export function announce(text: string, ...controls: readonly HTMLElement[]): void {
  const status = element(document, "#page-status", HTMLElement);
  const parts = controls.flatMap((control) => [" · ", control]);
  const clear = (): void => {
    if (status.contains(document.activeElement)) timer = window.setTimeout(clear, MESSAGE_MS);
    else status.replaceChildren();
  };
  clearTimeout(timer);
  status.replaceChildren();
  // A screen reader announces a repeated message only if the text was empty in between.
  setTimeout(() => status.replaceChildren(text, ...parts), 50);
  timer = window.setTimeout(clear, MESSAGE_MS);
}

/** Key of the favourites. Each site of a host has its own list. */
export const favouritesKey = (base: string): string => `commonplace-favourites:${base}`;
