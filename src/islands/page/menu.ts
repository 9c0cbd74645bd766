/** The actions on a quote: one menu for all cards of the page, and the row of buttons on a quote's own page. */
import rules from "../../styles/card-menu.css?inline";
import { addToPage, announce, favouritesKey, fillIn, make, pageWords } from "../browser.ts";
import { readFavourites, writeFavourites, type Favourite } from "../favourites/store.ts";
import { addSheet } from "../own-sheet.ts";
import { copyQuote, asText, readCard } from "../share.ts";

/** Pixels between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4;

/** In a narrower window the style sheet places the menu at the lower edge. */
const SHEET = "(width < 32rem)";

/** Length of the menu's title: the first words of the quote, in UTF-16 units. */
const TITLE_LENGTH = 80;

/** The card whose menu is open. */
let opened: HTMLElement | null = null;

let made: HTMLElement | undefined;

/** Called at each click of the button. From the second click on, the browser opens and closes the menu itself. */
export function openMenu(button: HTMLButtonElement): void {
  opened = button.closest("article");
  if (opened === null) return;
  const menu = (made ??= makeMenu());
  const title = menu.querySelector("p");
  const text = opened.querySelector("blockquote")?.textContent.trim() ?? "";
  if (title !== null)
    Object.assign(title, {
      textContent: text.slice(0, TITLE_LENGTH),
      lang: opened.lang,
      dir: opened.dir,
    });
  const report = menu.querySelector<HTMLElement>(".report");
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
  for (const button of row.querySelectorAll<HTMLButtonElement>("[data-act]")) {
    const { act = "" } = button.dataset;
    // Until here the button could do nothing.
    button.disabled = false;
    if (isPossible(act)) button.addEventListener("click", () => void perform(card, act));
    else button.remove();
  }
}

function makeMenu(): HTMLElement {
  const { acts, copies, copyAs, report, confirm } = pageWords();
  const buttons = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).flatMap(([act, name]) => (isPossible(act) ? [actButton(act, name)] : []));
  const items = buttons(acts).map((button) => make("li", {}, button));
  const copying = buttons(copies);
  if (copying.length > 0)
    items.push(make("li", {}, make("details", {}, make("summary", {}, copyAs), ...copying)));
  if (report !== undefined && confirm !== undefined) {
    const details = make("details", {}, make("summary", {}, report), actButton("report", confirm));
    items.push(make("li", { className: "report" }, details));
  }
  const menu = make(
    "div",
    { id: "card-menu", popover: "auto" },
    make("p"),
    make("ul", {}, ...items),
  );
  addSheet(rules);
  addToPage(menu);
  menu.addEventListener("click", ({ target }) => {
    const act = target instanceof HTMLButtonElement ? target.dataset["act"] : undefined;
    if (opened === null || act === undefined) return;
    // Restores the focus to the card, before a report hides it.
    menu.hidePopover();
    if (act === "report") reportButton(opened)?.click();
    else void perform(opened, act);
  });
  return menu;
}

/**
 * Whether the browser can do it: the clipboard is missing on sites without https. Where it shares nothing, a text with its link
 * is copied.
 */
function isPossible(what: string): boolean {
  if (what === "keep" || what === "picture") return true;
  return "clipboard" in navigator || (what === "share" && "share" in navigator);
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
  for (const details of menu.querySelectorAll("details")) details.open = false;
  menu.style.inset = menu.style.maxBlockSize = "";
  if (!matchMedia(SHEET).matches) {
    const { top, bottom, left } = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = menu;
    const x = Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP));
    const [above, below] = [top - 2 * GAP, innerHeight - bottom - 2 * GAP];
    const isBelow = below >= Math.min(above, offsetHeight);
    menu.style.inset = isBelow
      ? `${bottom + GAP}px auto auto ${x}px`
      : `auto auto ${innerHeight - top + GAP}px ${x}px`;
    menu.style.maxBlockSize = `${isBelow ? below : above}px`;
  }
  menu.querySelector("button")?.focus();
}

/** Shows on the cards of the page which are kept, and in the main menu how many quotes are. */
export function showKept(): void {
  const { list } = readFavourites(pageWords().base);
  const kept = new Set(list.map(({ pk }) => pk));
  for (const button of document.querySelectorAll<HTMLElement>('.do [data-act="keep"]')) {
    const isKept = kept.has(Number(button.closest<HTMLElement>("[data-pk]")?.dataset["pk"]));
    if (button.ariaPressed === String(isKept)) continue;
    button.ariaPressed = String(isKept);
    // A hidden copy of the other word keeps the width.
    const { other = "" } = button.dataset;
    button.dataset["other"] = button.textContent.trim();
    button.textContent = other;
  }
  const count = document.querySelector("#kept");
  if (count !== null)
    count.textContent =
      kept.size > 0 ? kept.size.toLocaleString(document.documentElement.lang) : "";
}

/** @param act `keep`, `share`, `embed`, or a format to copy */
export async function perform(card: HTMLElement, act: string): Promise<void> {
  const { base, copied, copyFailed } = pageWords();
  const quote = readCard(card, base);
  if (act === "keep") {
    // The absolute link is not stored.
    const { link: _, ...kept } = quote;
    return toggleKept({ ...kept, at: new Date().toISOString() });
  }
  if (act === "picture") {
    try {
      const { openPicture } = await import("../picture/dialog.ts");
      return await openPicture(card);
    } catch (error) {
      // Without a connection the module may be missing.
      announce(pageWords().image.failed);
      throw error;
    }
  }
  if (act === "share" && "share" in navigator) {
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

function toggleKept(quote: Favourite): void {
  const { base, damaged, kept, removed, all } = pageWords();
  const { list, trouble } = readFavourites(base);
  const at = list.findIndex(({ pk }) => pk === quote.pk);
  const without = list.filter(({ pk }) => pk !== quote.pk);
  if (!store(at < 0 ? [...list, quote] : without, trouble)) return;
  // Otherwise Safari deletes them after a week without a visit.
  if (list.length === 0) void navigator.storage?.persist?.();
  if (trouble === "damaged") return announce(damaged);
  if (at >= 0)
    return announce(
      removed,
      undoButton(kept, (now) => now.toSpliced(at, 0, ...list.slice(at, at + 1))),
    );
  const href =
    document.querySelector<HTMLAnchorElement>("a:has(> #kept)")?.href ?? `${base}favourites/`;
  const number = (list.length + 1).toLocaleString(document.documentElement.lang);
  const link = make("a", { href }, fillIn(all, number));
  announce(
    kept,
    link,
    undoButton(removed, (now) => now.filter(({ pk }) => pk !== quote.pk)),
  );
}

/** Stores a list and shows it. @returns false where the browser refuses, which is announced */
function store(list: readonly Favourite[], trouble: string | null = null): boolean {
  const { base, full, blocked } = pageWords();
  const outcome = trouble === "blocked" ? "blocked" : writeFavourites(base, list);
  if (outcome !== "done") announce({ full, blocked }[outcome]);
  // Browsers tell other tabs alone.
  dispatchEvent(new StorageEvent("storage", { key: favouritesKey(base) }));
  showKept();
  return outcome === "done";
}

/**
 * @param done said after it
 * @param undo makes the list of before from that of now, which another tab may have changed
 */
function undoButton(
  done: string,
  undo: (now: readonly Favourite[]) => readonly Favourite[],
): HTMLButtonElement {
  const { base, undo: name } = pageWords();
  const button = make("button", { type: "button" }, name);
  button.onclick = () => {
    if (store(undo(readFavourites(base).list))) announce(done);
  };
  return button;
}
