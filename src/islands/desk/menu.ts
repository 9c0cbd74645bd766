/** What can be done with a quote: a button on each card, and one menu for the page, which opens at the button. */
import { element } from "../dom.ts";
import { deskWords } from "./words.ts";

/** What a browser must have for it: the clipboard is offered on https and on this machine alone. */
const NEEDS: Readonly<Record<string, keyof Navigator>> = {
  text: "clipboard",
  markdown: "clipboard",
  html: "clipboard",
  link: "clipboard",
  embed: "clipboard",
  share: "share",
};

/** Pixels between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4;

/** The card whose menu is open. */
let opened: HTMLElement | null = null;

export function addMenus(): void {
  const menu = element(document, "#card-menu", HTMLUListElement);
  for (const link of document.querySelectorAll("article.quote .permalink")) addOpener(link, menu);
  listen(menu, () => opened);
  // On a quote's own page what is done most is beside the quote.
  const acts = document.querySelector<HTMLElement>(".acts");
  const card = document.querySelector<HTMLElement>("article.quote");
  if (acts === null || card === null) return;
  listen(acts, () => card);
  void nameKeep(card);
}

/** Takes out the buttons for what this browser cannot do, and does what the others say. */
function listen(buttons: HTMLElement, cardOf: () => HTMLElement | null): void {
  for (const button of buttons.querySelectorAll("button")) {
    const needed = NEEDS[button.dataset["act"] ?? ""];
    if (needed !== undefined && !(needed in navigator)) (button.closest("li") ?? button).remove();
  }
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
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  button.textContent = "•••";
  button.ariaLabel = deskWords().actions;
  button.lang = document.documentElement.lang;
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
