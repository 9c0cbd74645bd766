/**
 * What a card shows of a vote or a report: the new count, the state in words, and a line in place of a hidden quote. And what
 * this browser did with a quote, by `vote` and `report`: one small entry each, so tabs never overwrite each other.
 *
 * Where storage is refused or full, an entry lasts for the visit. An unknown entry counts as none.
 */
import type { Translation } from "../../i18n/languages/en.ts";
import { make, store, stored } from "../browser.ts";

type VoteStates = Translation["vote"]["states"];

const STEPS: Readonly<Record<string, number>> = { upvote: 1, downvote: -1 };

const page = document.documentElement;
let words: Partial<VoteStates> | undefined;

/** Units of a wait, in milliseconds, the longest first. */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
] as const;

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
  const [unit, ms] = UNITS.find(([, ms]) => waitMs > 1.5 * ms) ?? ["minute", 60_000];
  const when = new Intl.RelativeTimeFormat(page.lang).format(Math.ceil(waitMs / ms), unit);
  return words.laterIn?.replace("{when}", when) ?? "";
}

/** Writes into an element of a card, whose own language may be another. */
export function setText(element: HTMLElement, text: string): void {
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
  setText(note, `${wordsOf("hidden")} `);
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

export type Kind = "vote" | "report";

/** `sent`, `hidden` and `shown` are the states of a report; `sent` is one whose answer did not arrive. */
const KNOWN = /^(?:upvote|downvote|sent|hidden|shown)$/;

const visit = new Map<string, string>();

/** Sites below one host have an origin in common, and their own quotes each. */
export function keyOf(kind: Kind, pk: string): string {
  return `${kind}:${import.meta.env.BASE_URL}:${pk}`;
}

/** Empty where nothing is known. */
export function recall(kind: Kind, pk: string): string {
  const key = keyOf(kind, pk);
  const value = visit.get(key) ?? stored(key) ?? "";
  return KNOWN.test(value) ? value : "";
}

/** @param value empty to forget */
export function remember(kind: Kind, pk: string, value: string): void {
  const key = keyOf(kind, pk);
  visit.delete(key);
  if (store(key, value || null) !== "done") visit.set(key, value);
}

/**
 * Lets one tab at a time act on a quote: storage alone may lag between two processes of a browser.
 *
 * Locks are missing outside of secure origins and refused where storage is; then the entries above must do.
 *
 * @param run not called while another tab holds the name
 */
export async function runAlone(name: string, run: () => Promise<void>): Promise<void> {
  let asked = false;
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      asked = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (asked) throw error;
    await run();
  }
}
