/** Says a state in the page's language; the page carries the words once, as data. */
import type { VoteStates } from "../../i18n/translation.ts";

const page = document.documentElement;
let words: Partial<VoteStates> | undefined;

/** @param waitMs how long to wait, for the state "later"; 0 where nobody knows */
export function wordsOf(state: keyof VoteStates, waitMs = 0): string {
  words ??= JSON.parse(
    document.querySelector("#vote-states")?.textContent ?? "{}",
  ) as Partial<VoteStates>;
  if (waitMs === 0) return words[state] ?? "";
  const minutes = Math.ceil(waitMs / 60_000);
  const when = new Intl.RelativeTimeFormat(page.lang).format(minutes, "minute");
  return words.laterIn?.replace("{when}", when) ?? "";
}

/** Writes into an element of a card, whose own language may be another. */
export function say(element: HTMLElement, text: string): void {
  element.lang = page.lang;
  element.dir = page.dir;
  element.textContent = text;
}
