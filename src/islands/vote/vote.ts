/**
 * `<vote-box>` takes over the buttons of a card: a vote or a report is sent without leaving the page, once, and its state
 * is shown after the buttons.
 *
 * The rule: one vote a quote and browser, and the first one counts. The service cannot take a vote back, so the other
 * direction afterwards would be a second vote; it is not sent. What may have arrived is never sent again.
 *
 * What this browser did with a quote is one small entry by `vote` and one by `report`, so tabs never overwrite each other.
 * Where storage is refused or full, an entry lasts for the visit. An unknown entry counts as none.
 */
import type { Translation } from "../../i18n/languages/en.ts";
import { make, onStorage, store, stored } from "../browser.ts";
import { post, UNCONFIRMED, type Answer, type Outcome } from "./answer.ts";

type Kind = "vote" | "report";

/** After this long without an answer the card says so; it shows one that comes later. */
const SILENCE_MS = 10_000;

/** Until then the service asked for no requests; milliseconds since the epoch. */
let notBefore = 0;

class VoteBox extends HTMLElement {
  /** Whether the buttons must be reset when nothing is remembered any more; most cards were never touched. */
  private touched = false;
  private readonly output = make("output");

  connectedCallback(): void {
    // Another site may lay its own page over a frame, so that its readers click through to a vote.
    if (window.top !== window.self) {
      for (const control of this.querySelectorAll("button, details")) control.remove();
      return;
    }
    // Before anything is to be announced: a status is announced when it changes, not when it comes.
    this.append(this.output);
    this.refresh();
  }

  get pk(): string {
    return this.querySelector("button")?.value ?? "";
  }

  /** Shows what this browser remembers: on load, and after this or another tab has acted. */
  refresh(): void {
    const { pk } = this;
    if (pk === "") return;
    const used = { vote: recall("vote", pk), report: recall("report", pk) };
    if (used.vote + used.report === "" && !this.touched) return;
    this.touched = true;
    for (const button of this.querySelectorAll("button")) {
      const operation = operationOf(button.form?.action);
      const value = used[kindOf(operation)];
      // Not `disabled`: that would drop the focus, and a second press could not be answered.
      button.setAttribute(
        "aria-pressed",
        String(value === operation || (value !== "" && operation === "report")),
      );
    }
    const card = this.closest<HTMLElement>("[data-pk]");
    if (card !== null) showCard(card, pk, used.report === "hidden");
  }

  show(state: Outcome | "sending" | "already" | "reported", waitMs = 0): void {
    this.dataset["state"] = state;
    setText(this.output, wordsOf(state, waitMs));
  }

  /** @param action where the form of the pressed button leads */
  async cast(action: string): Promise<void> {
    const { pk } = this;
    const operation = operationOf(action);
    const kind = kindOf(operation);
    const known = recall(kind, pk);
    if (known !== "" && this.dataset["state"] === "sending") return;
    if (known !== "") return this.show(kind === "vote" ? "already" : "reported");
    if (!navigator.onLine) return this.show("offline");
    const waitMs = notBefore - Date.now();
    if (waitMs > 0) return this.show("later", waitMs);
    await runAlone(keyOf(kind, pk), async () => {
      if (recall(kind, pk) !== "") return this.refresh();
      // Before it is sent: a page that goes away now must not send it again when it is back.
      remember(kind, pk, kind === "report" ? "sent" : operation);
      const putBack = countVote(this, operation);
      this.refresh();
      this.show("sending");
      const answer = post(action, pk);
      const silence = new Promise<Answer>((resolve) => {
        setTimeout(resolve, SILENCE_MS, UNCONFIRMED);
      });
      const first = await Promise.race([answer, silence]);
      this.settle(kind, first, putBack);
      if (first === UNCONFIRMED) void answer.then((late) => this.settle(kind, late, putBack));
    });
  }

  settle(kind: Kind, { outcome, waitMs }: Answer, putBack: () => void): void {
    const done = outcome === "counted" || outcome === "unconfirmed";
    notBefore = Math.max(notBefore, Date.now() + waitMs);
    if (!done) {
      remember(kind, this.pk, "");
      putBack();
    } else if (kind === "report") {
      remember(kind, this.pk, "hidden");
    }
    this.show(outcome, waitMs);
    this.refresh();
  }
}

/** `upvote`, `downvote` or `report`: the last segment of the address. */
function operationOf(action = ""): string {
  return action.split("/").at(-2) ?? "";
}

function kindOf(operation: string): Kind {
  return operation === "report" ? "report" : "vote";
}

type VoteStates = Translation["vote"]["states"];

const STEPS: Readonly<Record<string, number>> = { upvote: 1, downvote: -1 };

const page = document.documentElement;
let words: Partial<VoteStates> | undefined;

/** Units of a wait, in milliseconds, the longest first. */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
] as const;

/**
 * A state in the page's language.
 *
 * @param waitMs how long to wait, for the state "later"; 0 where that is unknown
 */
function wordsOf(state: keyof VoteStates, waitMs = 0): string {
  words ??= JSON.parse(
    document.querySelector("#vote-states")?.textContent ?? "{}",
  ) as Partial<VoteStates>;
  if (waitMs === 0) return words[state] ?? "";
  const [unit, ms] = UNITS.find(([, ms]) => waitMs > 1.5 * ms) ?? ["minute", 60_000];
  const when = new Intl.RelativeTimeFormat(page.lang).format(Math.ceil(waitMs / ms), unit);
  return words.laterIn?.replace("{when}", when) ?? "";
}

/** Writes into an element of a card, whose own language may be another. */
function setText(element: HTMLElement, text: string): void {
  element.lang = page.lang;
  element.dir = page.dir;
  element.textContent = text;
}

/**
 * Shows the count as it will be, in the digits of the card's language.
 *
 * @returns shows the earlier count again
 */
function countVote(box: HTMLElement, operation: string): () => void {
  const count = box.querySelector("data");
  const step = STEPS[operation];
  if (count === null || step === undefined) return () => undefined;
  const shown = count.textContent;
  const { lang } = count.closest<HTMLElement>("[lang]") ?? page;
  const value = Number(count.value) + step;
  count.textContent = new Intl.NumberFormat(lang).format(value);
  return () => (count.textContent = shown);
}

/** Hides a card that the reader reported, with a line in its place that shows it again. */
function showCard(card: HTMLElement, pk: string, hidden: boolean): void {
  if (card.hidden === hidden) return;
  const focused = card.contains(document.activeElement);
  card.hidden = hidden;
  if (!hidden) return card.previousElementSibling?.remove();
  // A status is announced when it is filled, so it must be in the page before.
  const note = make("p", { className: "vote-note", tabIndex: -1, role: "status" });
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

/** `sent`, `hidden` and `shown` are the states of a report; `sent` is one whose answer did not arrive. */
const KNOWN = /^(?:upvote|downvote|sent|hidden|shown)$/;

const visit = new Map<string, string>();

/** Sites below one host have an origin in common, and their own quotes each. */
function keyOf(kind: Kind, pk: string): string {
  return `${kind}:${import.meta.env.BASE_URL}:${pk}`;
}

/** Empty where nothing is known. */
function recall(kind: Kind, pk: string): string {
  const key = keyOf(kind, pk);
  const value = visit.get(key) ?? stored(key) ?? "";
  return KNOWN.test(value) ? value : "";
}

/** @param value empty to forget */
function remember(kind: Kind, pk: string, value: string): void {
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
async function runAlone(name: string, run: () => Promise<void>): Promise<void> {
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

customElements.define("vote-box", VoteBox);
// The forms are outside of the cards, where a submit event does not pass the box.
document.addEventListener("submit", (event) => {
  const box = event.submitter?.closest("vote-box");
  if (!(box instanceof VoteBox)) return;
  event.preventDefault();
  void box.cast((event.target as HTMLFormElement).action);
});
onStorage(() => {
  for (const box of document.querySelectorAll<VoteBox>("vote-box")) box.refresh();
});
