/** What the script of every page says: a block of data, once a page, in the page's language. */
import { element } from "../browser.ts";

export interface PageWords {
  /** The site's base path. */
  readonly base: string;
  /** Whether visited pages are kept. */
  readonly offline: boolean;
  /** What can be done with a quote, in the order of the menu, by what `perform()` takes. */
  readonly acts: Readonly<Record<string, string>>;
  /** Where there is voting. */
  readonly report?: string;
  readonly confirm?: string;
  readonly search: string;
  readonly next: string;
  readonly previous: string;
  readonly random: string;
  readonly shortcuts: string;
  readonly shortcutsOn: string;
  readonly close: string;
  readonly unkeep: string;
  readonly actions: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly full: string;
  readonly blocked: string;
  readonly damaged: string;
}

let words: PageWords | undefined;

export function pageWords(): PageWords {
  const text = element(document, "#desk-words", HTMLElement).textContent;
  return (words ??= JSON.parse(text) as PageWords);
}

/** Adds what only scripts use to the end of the page. */
export function addToPage(...nodes: readonly Node[]): void {
  element(document, "#desk-status", HTMLElement).after(...nodes);
}

/** Says it on the screen and to screen readers. */
export function announce(text: string): void {
  const status = element(document, "#desk-status", HTMLElement);
  status.textContent = "";
  // The same words twice in a row are a change only when there was a moment without them.
  setTimeout(() => (status.textContent = text), 50);
}
