/**
 * `<vote-box>` sends the votes and reports of a card without leaving the page, and shows their state at the end of the window.
 *
 * A browser votes at most once on a quote. The service cannot take a vote back, so a vote in the other direction would be a
 * second vote, and it is not sent. A vote that may have arrived is never sent again.
 *
 * Each quote has one entry in storage for its vote and one for its report, so tabs never overwrite each other's. Where
 * storage is refused or full, an entry lasts for the visit.
 */
import type { Translation } from "../../i18n/languages/en.ts";
import { make, MESSAGE_MS, onStorageChange, writeStorage, readStorage } from "../browser.ts";
import { post, UNCONFIRMED, type Answer, type Outcome } from "./answer.ts";

type Kind = "vote" | "report";

/** Time after which the card shows that the vote is unconfirmed. A later answer is still shown. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The service asked clients to wait until then; milliseconds since the epoch. */
let notBefore = 0;

class VoteBox extends HTMLElement {
  /** Whether this card has ever had an entry, so that its buttons must be reset when the entry is gone. */
  private touched = false;
  private readonly output = make("output");
  private timer = 0;

  connectedCallback(): void {
    // Prevents clickjacking: another site could put its own page over the frame.
    if (window.top !== window.self) {
      for (const control of this.querySelectorAll("button, details")) control.remove();
      return;
    }
    // Screen readers announce a status that changes, not one that is added with its text.
    this.append(this.output);
    this.refresh();
  }

  get pk(): string {
    return this.querySelector("button")?.value ?? "";
  }

  /** Shows the entries of storage: on load, and after a change by this or another tab. */
  refresh(): void {
    const { pk } = this;
    if (pk === "") return;
    const used = { vote: recall("vote", pk), report: recall("report", pk) };
    if (used.vote + used.report === "" && !this.touched) return;
    this.touched = true;
    for (const button of this.querySelectorAll("button")) {
      const operation = operationOf(button.form?.action);
      const value = used[kindOf(operation)];
      // `disabled` would remove the focus, and a second click could not be answered.
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
    // All messages have the same place, which covers the end of the window for a while, so that nothing moves.
    for (const { output } of document.querySelectorAll<VoteBox>("vote-box"))
      output.textContent = "";
    setText(this.output, messageOf(state, waitMs));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (this.output.textContent = ""), MESSAGE_MS);
  }

  /** Sends a vote or a report. @param action address of the form of the clicked button */
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
      // The entry is written first: a reader who leaves now and comes back must not vote again.
      remember(kind, pk, kind === "report" ? "sent" : operation);
      const restoreCount = countVote(this, operation);
      this.refresh();
      this.show("sending");
      const answer = post(action, pk);
      const timeout = new Promise<Answer>((resolve) => {
        setTimeout(resolve, ANSWER_TIMEOUT_MS, UNCONFIRMED);
      });
      const first = await Promise.race([answer, timeout]);
      this.settle(kind, first, restoreCount);
      if (first === UNCONFIRMED) void answer.then((late) => this.settle(kind, late, restoreCount));
    });
  }

  settle(kind: Kind, { outcome, waitMs }: Answer, restoreCount: () => void): void {
    const done = outcome === "counted" || outcome === "unconfirmed";
    notBefore = Math.max(notBefore, Date.now() + waitMs);
    if (!done) {
      remember(kind, this.pk, "");
      restoreCount();
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
 * The message of a state, in the page's language.
 *
 * @param waitMs time to wait, for the state "later"; 0 where it is unknown
 */
function messageOf(state: keyof VoteStates, waitMs = 0): string {
  words ??= JSON.parse(
    document.querySelector("#vote-states")?.textContent ?? "{}",
  ) as Partial<VoteStates>;
  if (waitMs === 0) return words[state] ?? "";
  const [unit, ms] = UNITS.find(([, ms]) => waitMs > 1.5 * ms) ?? ["minute", 60_000];
  const when = new Intl.RelativeTimeFormat(page.lang).format(Math.ceil(waitMs / ms), unit);
  return words.laterIn?.replace("{when}", when) ?? "";
}

/** Sets a text in the page's language within a card, whose language may be another. */
function setText(element: HTMLElement, text: string): void {
  element.lang = page.lang;
  element.dir = page.dir;
  element.textContent = text;
}

/** Counts from here on are rounded (`shownLikes()`), so one vote does not show. */
const ROUNDED_FROM = 100;

/**
 * Shows the count with the vote, in the digits of the card's language.
 *
 * @returns restores the earlier count
 */
function countVote(box: HTMLElement, operation: string): () => void {
  const count = box.querySelector("data");
  const step = STEPS[operation];
  if (count === null || step === undefined || Math.abs(Number(count.value)) >= ROUNDED_FROM)
    return () => undefined;
  const shown = count.textContent;
  const { lang } = count.closest<HTMLElement>("[lang]") ?? page;
  const value = Number(count.value) + step;
  count.textContent = new Intl.NumberFormat(lang).format(value);
  return () => (count.textContent = shown);
}

/** Shows a card, or hides it after a report: then a note in its place has a button that shows the card again. */
function showCard(card: HTMLElement, pk: string, hidden: boolean): void {
  if (card.hidden === hidden) return;
  const focused = card.contains(document.activeElement);
  card.hidden = hidden;
  if (!hidden) return card.previousElementSibling?.remove();
  // Screen readers announce a status that changes, so the note is added empty.
  const note = make("p", { className: "vote-note", tabIndex: -1, role: "status" });
  card.before(note);
  setText(note, `${messageOf("hidden")} `);
  const button = make("button", {}, messageOf("show"));
  button.onclick = () => {
    remember("report", pk, "shown");
    showCard(card, pk, false);
    card.querySelector<HTMLElement>(".more")?.focus();
  };
  note.append(button);
  // A hidden card loses the focus.
  if (focused) note.focus();
}

/** Valid entries. `sent`, `hidden` and `shown` are of reports; `sent` is a report without an answer so far. */
const VALID_ENTRY = /^(?:upvote|downvote|sent|hidden|shown)$/;

/** Entries of this visit that storage did not take. */
const unstored = new Map<string, string>();

/** Sites of one host share their storage, so the key has the base path. */
function keyOf(kind: Kind, pk: string): string {
  return `${kind}:${import.meta.env.BASE_URL}:${pk}`;
}

/** Reads an entry; empty where there is none. */
function recall(kind: Kind, pk: string): string {
  const key = keyOf(kind, pk);
  const value = unstored.get(key) ?? readStorage(key) ?? "";
  return VALID_ENTRY.test(value) ? value : "";
}

/** Writes an entry. @param value empty to delete it */
function remember(kind: Kind, pk: string, value: string): void {
  const key = keyOf(kind, pk);
  unstored.delete(key);
  if (writeStorage(key, value || null) !== "done") unstored.set(key, value);
}

/**
 * Runs a function while no other tab holds the lock of this name; otherwise does nothing. Storage alone is not enough, since it
 * may lag between two processes of a browser.
 *
 * Locks are missing on sites without https, and refused where storage is. Then the function always runs.
 */
async function runAlone(name: string, run: () => Promise<void>): Promise<void> {
  let isCalled = false;
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      isCalled = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (isCalled) throw error;
    await run();
  }
}

customElements.define("vote-box", VoteBox);
// The forms are outside the cards, so their events do not bubble through the box.
document.addEventListener("submit", (event) => {
  const box = event.submitter?.closest("vote-box");
  if (!(box instanceof VoteBox)) return;
  event.preventDefault();
  void box.cast((event.target as HTMLFormElement).action);
});
onStorageChange(() => {
  for (const box of document.querySelectorAll<VoteBox>("vote-box")) box.refresh();
});
