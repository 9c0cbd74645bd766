/** What the page says through its scripts: a block of data, once a page, in the page's language. */
import { element } from "../dom.ts";

export interface DeskWords {
  /** The site's base path. */
  readonly base: string;
  /** Whether visited pages are kept. */
  readonly offline: boolean;
  /** What can be done with a quote, in the order of the menu, by what `act` takes. */
  readonly acts: Readonly<Record<string, string>>;
  /** Where there is voting. */
  readonly report?: string;
  readonly confirm?: string;
  /** What each key does. */
  readonly keys: Readonly<Record<string, string>>;
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

let words: DeskWords | undefined;

export function deskWords(): DeskWords {
  const text = element(document, "#desk-words", HTMLElement).textContent;
  return (words ??= JSON.parse(text) as DeskWords);
}

/** Adds what only scripts use to the end of the page. */
export function addToDesk(...nodes: readonly Node[]): void {
  element(document, "#desk-status", HTMLElement).after(...nodes);
}

/** Says it on the screen and to screen readers. */
export function announce(text: string): void {
  const status = element(document, "#desk-status", HTMLElement);
  status.textContent = "";
  // The same words twice in a row are a change only when there was a moment without them.
  setTimeout(() => (status.textContent = text), 50);
}
