/** Hides a quote that the reader reported, and leaves a line in its place that shows it again. */
import { make } from "../dom.ts";
import { remember } from "./memory.ts";
import { say, wordsOf } from "./words.ts";

/** The line in place of each hidden card. */
const notes = new WeakMap<HTMLElement, HTMLElement>();

/** Shows or hides a card as asked; does nothing where that is how it stands. */
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
