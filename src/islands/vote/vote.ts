/**
 * `<vote-box>` takes over the buttons of a card: a vote or a report is sent without leaving the page, once, and its state
 * is shown after the buttons.
 *
 * The rule: one vote a quote and browser, and the first one counts. The service cannot take a vote back, so the other
 * direction afterwards would be a second vote; it is not sent. What may have arrived is never sent again.
 */
import { make } from "../browser.ts";
import { post, UNCONFIRMED, type Answer, type Outcome } from "./answer.ts";
import {
  countVote,
  setText,
  showCard,
  wordsOf,
  keyOf,
  recall,
  remember,
  runAlone,
  type Kind,
} from "./card.ts";

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
    if (this.dataset["state"] === "sending") return;
    if (recall(kind, pk) !== "") return this.show(kind === "vote" ? "already" : "reported");
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
      const first = await Promise.race([answer, silence()]);
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

function silence(): Promise<Answer> {
  return new Promise((resolve) => setTimeout(resolve, SILENCE_MS, UNCONFIRMED));
}

function refreshAll(): void {
  for (const box of document.querySelectorAll<VoteBox>("vote-box")) box.refresh();
}

customElements.define("vote-box", VoteBox);
// The forms are outside of the cards, where a submit event does not pass the box.
document.addEventListener("submit", (event) => {
  const box = event.submitter?.closest("vote-box");
  if (!(box instanceof VoteBox)) return;
  event.preventDefault();
  void box.cast((event.target as HTMLFormElement).action);
});
addEventListener("storage", refreshAll);
// A page in the back-forward cache gets no storage events.
addEventListener("pageshow", (event) => {
  if (event.persisted) refreshAll();
});
