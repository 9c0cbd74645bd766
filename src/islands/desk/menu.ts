/** What can be done with a quote: a button on each card, and one menu for the page, which opens at the button. */
import { make } from "../dom.ts";
import { addToDesk, deskWords } from "./words.ts";

/** Pixels between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4;

/** The card whose menu is open. */
let opened: HTMLElement | null = null;

export function addMenus(): void {
  const menu = make("ul", { id: "card-menu", popover: "auto" });
  const { acts, report, confirm } = deskWords();
  for (const [what, name] of Object.entries(acts)) {
    if (isPossible(what)) menu.append(make("li", {}, actButton(what, name)));
  }
  if (report !== undefined && confirm !== undefined) {
    const details = make("details", {}, make("summary", {}, report), actButton("report", confirm));
    menu.append(make("li", {}, details));
  }
  addToDesk(menu);
  for (const link of document.querySelectorAll("article.quote .permalink")) addOpener(link, menu);
  listen(menu, () => opened);
  // On a quote's own page what is done most is beside the quote.
  const row = document.querySelector<HTMLElement>(".acts");
  const card = document.querySelector<HTMLElement>("article.quote");
  if (row === null || card === null) return;
  for (const button of row.querySelectorAll("button")) {
    if (!isPossible(button.dataset["act"] ?? "")) button.remove();
  }
  listen(row, () => card);
  void nameKeep(card);
}

function listen(buttons: HTMLElement, cardOf: () => HTMLElement | null): void {
  buttons.addEventListener("click", ({ target }) => {
    const what = target instanceof HTMLButtonElement ? target.dataset["act"] : undefined;
    const card = cardOf();
    if (card === null || what === undefined) return;
    if (what !== "report") void act(card, what);
    else {
      // The focus goes back to the card before the card is hidden.
      buttons.hidePopover();
      reportOf(card)?.click();
    }
  });
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

/** Does something with a quote; the code for it comes with the first time. */
export async function act(card: HTMLElement, what: string): Promise<void> {
  await (await import("./acts.ts")).doWith(card, what);
  if (what === "keep") await nameKeep(card);
}

async function nameKeep(card: HTMLElement): Promise<void> {
  const { keepName } = await import("./acts.ts");
  const name = keepName(card);
  for (const button of document.querySelectorAll('[data-act="keep"]')) button.textContent = name;
}

/** The button that sends the card's own form; null where there is no voting, as in a frame. */
function reportOf(card: HTMLElement): HTMLButtonElement | null {
  return card.querySelector('[action$="/report/"] button');
}

function addOpener(link: Element, menu: HTMLElement): void {
  const button = make("button", {
    type: "button",
    className: "more",
    ariaLabel: deskWords().actions,
    lang: document.documentElement.lang,
  });
  button.append("•••");
  // The browser opens and closes the menu, tells screen readers, and gives the focus back.
  button.popoverTargetElement = menu;
  button.onclick = () => {
    opened = link.closest("article");
    if (opened === null) return;
    void nameKeep(opened);
    const report = menu.querySelector("details");
    if (report?.parentElement) report.parentElement.hidden = reportOf(opened) === null;
    // After the browser has opened it: a closed menu has no size.
    requestAnimationFrame(() => {
      if (menu.matches(":popover-open")) openAt(button, menu);
    });
  };
  link.after(button);
}

/** Below the button, or above it where the window ends, with room for all that may unfold. */
function openAt(button: HTMLElement, menu: HTMLElement): void {
  const report = menu.querySelector("details");
  if (report !== null) report.open = true;
  const { top, bottom, left } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  if (report !== null) report.open = false;
  const x = Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP));
  const room = innerHeight - offsetHeight - GAP;
  const below = bottom + GAP <= room;
  menu.style.inset = below
    ? `${bottom + GAP}px auto auto ${x}px`
    : `auto auto ${Math.max(GAP, Math.min(innerHeight - top + GAP, room))}px ${x}px`;
  menu.querySelector("button")?.focus();
}
