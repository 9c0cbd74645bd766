/** What can be done with a quote: one menu for the page, which opens at the button of a card, and a row of buttons. */
import { make, addToPage, announce, onStorage, pageWords } from "../browser.ts";
import { readFavourites, writeFavourites } from "../favourites/store.ts";
import { copyQuote, asText, readCard } from "../share.ts";

/** Pixels between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4;

/** The card whose menu is open. */
let opened: HTMLElement | null = null;

let made: HTMLElement | undefined;

/** Called at each press of the button; from the second on the browser opens and closes the menu. */
export function openMenu(button: HTMLButtonElement): void {
  opened = button.closest("article");
  if (opened === null) return;
  const menu = (made ??= makeMenu());
  nameKeep(opened);
  const report = menu.querySelector("details")?.parentElement;
  if (report) report.hidden = reportOf(opened) === null;
  if (button.popoverTargetElement === null) {
    // Announces the state to screen readers, too, and gives the focus back.
    button.popoverTargetElement = menu;
    menu.showPopover({ source: button });
  }
  // The browser opens it after this, and a closed menu has no size.
  requestAnimationFrame(() => {
    if (menu.matches(":popover-open")) openAt(button, menu);
  });
}

/** On a quote's own page what is done most is in a row below the quote. */
export function addRow(row: HTMLElement): void {
  const card = document.querySelector<HTMLElement>("article.quote");
  if (card === null) return;
  for (const button of row.querySelectorAll("button")) {
    const { act = "" } = button.dataset;
    if (isPossible(act)) button.addEventListener("click", () => void perform(card, act));
    else button.remove();
  }
  nameKeep(card);
  onStorage(() => nameKeep(card));
}

function makeMenu(): HTMLElement {
  const menu = make("ul", { id: "card-menu", popover: "auto" });
  const { acts, report, confirm } = pageWords();
  for (const [what, name] of Object.entries(acts)) {
    if (isPossible(what)) menu.append(make("li", {}, actButton(what, name)));
  }
  if (report !== undefined && confirm !== undefined) {
    const details = make("details", {}, make("summary", {}, report), actButton("report", confirm));
    menu.append(make("li", {}, details));
  }
  addToPage(menu);
  menu.addEventListener("click", ({ target }) => {
    const what = target instanceof HTMLButtonElement ? target.dataset["act"] : undefined;
    if (opened === null || what === undefined) return;
    if (what !== "report") return void perform(opened, what);
    // The focus goes back to the card before the card is hidden.
    menu.hidePopover();
    reportOf(opened)?.click();
  });
  return menu;
}

/** Browsers offer the clipboard on https and on this machine alone. */
function isPossible(what: string): boolean {
  if (what === "keep") return true;
  return (what === "share" ? "share" : "clipboard") in navigator;
}

function actButton(what: string, name: string): HTMLButtonElement {
  const button = make("button", { type: "button" }, name);
  button.dataset["act"] = what;
  return button;
}

/** The card's button that sends a report; null where there is no voting, as in a frame. */
function reportOf(card: HTMLElement): HTMLButtonElement | null {
  return card.querySelector("vote-box details button");
}

/** Below the button, or above it where it fits there alone or better; it scrolls where it fits nowhere. */
function openAt(button: HTMLElement, menu: HTMLElement): void {
  menu.querySelector("details")?.removeAttribute("open");
  menu.style.maxBlockSize = "";
  const { top, bottom, left } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const x = Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP));
  const [above, below] = [top - 2 * GAP, innerHeight - bottom - 2 * GAP];
  const isBelow = below >= Math.min(above, offsetHeight);
  menu.style.inset = isBelow
    ? `${bottom + GAP}px auto auto ${x}px`
    : `auto auto ${innerHeight - top + GAP}px ${x}px`;
  menu.style.maxBlockSize = `${isBelow ? below : above}px`;
  menu.querySelector("button")?.focus();
}

/** Names the buttons that keep a quote, or let go of it. */
export function nameKeep(card: HTMLElement): void {
  const { base, acts, unkeep } = pageWords();
  const id = Number(card.dataset["pk"]);
  const isKept = readFavourites(base).list.some(({ pk }) => pk === id);
  for (const button of document.querySelectorAll('[data-act="keep"]')) {
    button.textContent = isKept ? unkeep : (acts["keep"] ?? "");
  }
}

/** @param act `keep`, `share`, `embed`, or a format to copy */
export async function perform(card: HTMLElement, act: string): Promise<void> {
  if (act === "keep") {
    toggleKept(card);
    return nameKeep(card);
  }
  const { base, copied, copyFailed } = pageWords();
  const quote = readCard(card, base);
  if (act === "share") {
    try {
      await navigator.share({ text: asText(quote), url: quote.link });
    } catch (error) {
      // The reader changed their mind.
      if (!(error instanceof DOMException)) throw error;
    }
    return;
  }
  // A key asks for it also where the menu does not offer it.
  const isCopied = isPossible(act) && (await copyQuote(quote, act, base));
  announce(isCopied ? copied : copyFailed);
}

function toggleKept(card: HTMLElement): void {
  const { base, acts, full, blocked, damaged } = pageWords();
  // The absolute link is not kept.
  const { link, ...kept } = readCard(card, base);
  const { list, trouble } = readFavourites(base);
  const without = list.filter(({ pk }) => pk !== kept.pk);
  const isKept = without.length < list.length;
  const next = isKept ? without : [...list, kept];
  const outcome = trouble === "blocked" ? "blocked" : writeFavourites(base, next);
  if (outcome !== "done") announce({ full, blocked }[outcome]);
  else announce(trouble === "damaged" ? damaged : `${isKept ? "−" : "✓"} ${acts["keep"] ?? ""}`);
}
