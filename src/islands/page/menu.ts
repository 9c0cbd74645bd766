/** The actions on a quote: one menu for all cards of the page, and the row of buttons on a quote's own page. */
import { make, addToPage, announce, onStorageChange, pageWords } from "../browser.ts";
import { readFavourites, writeFavourites } from "../favourites/store.ts";
import { copyQuote, asText, readCard } from "../share.ts";

/** Pixels between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4;

/** The card whose menu is open. */
let opened: HTMLElement | null = null;

let made: HTMLElement | undefined;

/** Called at each click of the button. From the second click on, the browser opens and closes the menu itself. */
export function openMenu(button: HTMLButtonElement): void {
  opened = button.closest("article");
  if (opened === null) return;
  const menu = (made ??= makeMenu());
  labelKeepButtons(opened);
  const report = menu.querySelector("details")?.parentElement;
  if (report) report.hidden = reportButton(opened) === null;
  if (button.popoverTargetElement === null) {
    // With this, the browser also announces the state to screen readers and restores the focus.
    button.popoverTargetElement = menu;
    menu.showPopover({ source: button });
  }
  // The browser opens the menu after this handler, and a closed menu has no size.
  requestAnimationFrame(() => {
    if (menu.matches(":popover-open")) placeMenu(button, menu);
  });
}

/** Activates the buttons below the quote on its own page. */
export function addRow(row: HTMLElement): void {
  const card = document.querySelector<HTMLElement>("article.quote");
  if (card === null) return;
  for (const button of row.querySelectorAll("button")) {
    const { act = "" } = button.dataset;
    // Until here the button could do nothing.
    button.disabled = false;
    if (isPossible(act)) button.addEventListener("click", () => void perform(card, act));
    else button.remove();
  }
  labelKeepButtons(card);
  onStorageChange(() => labelKeepButtons(card));
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
    // Restores the focus to the card, before the report hides the card.
    menu.hidePopover();
    reportButton(opened)?.click();
  });
  return menu;
}

/** Whether the browser can do it: the clipboard is missing on sites without https. */
function isPossible(what: string): boolean {
  if (what === "keep") return true;
  return (what === "share" ? "share" : "clipboard") in navigator;
}

function actButton(what: string, name: string): HTMLButtonElement {
  const button = make("button", { type: "button" }, name);
  button.dataset["act"] = what;
  return button;
}

/** The card's button that sends a report; null where voting is off, and in a frame. */
function reportButton(card: HTMLElement): HTMLButtonElement | null {
  return card.querySelector("vote-box details button");
}

/** Places the menu below the button, or above it where there is more room. The menu scrolls where neither has enough. */
function placeMenu(button: HTMLElement, menu: HTMLElement): void {
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

/** Labels the buttons that add the quote to the favourites or remove it. */
export function labelKeepButtons(card: HTMLElement): void {
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
    return labelKeepButtons(card);
  }
  const { base, copied, copyFailed } = pageWords();
  const quote = readCard(card, base);
  if (act === "share") {
    try {
      await navigator.share({ text: asText(quote), url: quote.link });
    } catch (error) {
      // The reader cancelled.
      if (!(error instanceof DOMException)) throw error;
    }
    return;
  }
  // A keyboard shortcut may request an action that the menu does not offer.
  const isCopied = isPossible(act) && (await copyQuote(quote, act, base));
  announce(isCopied ? copied : copyFailed);
}

function toggleKept(card: HTMLElement): void {
  const { base, acts, full, blocked, damaged } = pageWords();
  // The absolute link is not stored.
  const { link, ...kept } = readCard(card, base);
  const { list, trouble } = readFavourites(base);
  const without = list.filter(({ pk }) => pk !== kept.pk);
  const isKept = without.length < list.length;
  const next = isKept ? without : [...list, kept];
  const outcome = trouble === "blocked" ? "blocked" : writeFavourites(base, next);
  // Otherwise Safari deletes them after a week without a visit.
  if (outcome === "done" && list.length === 0) void navigator.storage?.persist?.();
  if (outcome !== "done") announce({ full, blocked }[outcome]);
  else announce(trouble === "damaged" ? damaged : `${isKept ? "−" : "✓"} ${acts["keep"] ?? ""}`);
}
