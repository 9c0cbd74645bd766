/** What a card shows of a vote or a report: the new count, the state in words, and a line in place of a hidden quote. */
import type { Translation } from "../../i18n/translation.ts";
import { make } from "../browser.ts";
import { remember } from "./memory.ts";

type VoteStates = Translation["vote"]["states"];

const STEPS: Readonly<Record<string, number>> = { upvote: 1, downvote: -1 };

const page = document.documentElement;
let words: Partial<VoteStates> | undefined;

/** The line in place of each hidden card. */
const notes = new WeakMap<HTMLElement, HTMLElement>();

/**
 * A state in the page's language.
 *
 * @param waitMs how long to wait, for the state "later"; 0 where that is unknown
 */
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

/**
 * Shows the count as it will be, in the digits of the card's language.
 *
 * @returns shows the earlier count again
 */
export function countVote(box: HTMLElement, operation: string): () => void {
  const count = box.querySelector("data");
  if (count === null) return () => undefined;
  const shown = count.textContent;
  const { lang } = count.closest<HTMLElement>("[lang]") ?? page;
  const value = Number(count.value) + (STEPS[operation] ?? 0);
  count.textContent = new Intl.NumberFormat(lang).format(value);
  return () => (count.textContent = shown);
}

/** Hides a card that the reader reported, with a line in its place that shows it again. */
export function showCard(card: HTMLElement, pk: string, hidden: boolean): void {
  if (card.hidden === hidden) return;
  const focused = card.contains(document.activeElement);
  card.hidden = hidden;
  notes.get(card)?.remove();
  if (!hidden) return;
  // A status is announced when it is filled, so it must be in the page before.
  const note = make("p", { className: "vote-note", tabIndex: -1, role: "status" });
  notes.set(card, note);
  card.before(note);
  say(note, `${wordsOf("hidden")} `);
  const button = make("button", {}, wordsOf("show"));
  button.onclick = () => {
    remember("report", pk, "shown");
    showCard(card, pk, false);
    card.querySelector<HTMLElement>(".more")?.focus();
  };
  note.append(button);
  // The focus was on what is now gone.
  if (focused) note.focus();
}
