/** What can be done with a quote: a button on each card, and one menu for the page, which opens at the button. */
import { element } from "../dom.ts";
import { deskWords } from "./words.ts";

/** Browsers offer the clipboard on https and on this machine alone. */
const NEEDS: Readonly<Record<string, keyof Navigator>> = { share: "share" };

/** Pixels between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4;

/** The card whose menu is open. */
let opened: HTMLElement | null = null;

export function addMenus(): void {
  const menu = element(document, "#card-menu", HTMLUListElement);
  for (const button of menu.querySelectorAll("button")) {
    const { act = "" } = button.dataset;
    if (act !== "keep" && !((NEEDS[act] ?? "clipboard") in navigator))
      button.parentElement?.remove();
  }
  for (const notes of document.querySelectorAll("article.quote > .notes")) addOpener(notes, menu);
  menu.addEventListener("click", ({ target }) => {
    const what = target instanceof HTMLButtonElement ? target.dataset["act"] : undefined;
    if (opened !== null && what !== undefined) void actFromMenu(opened, what, menu);
  });
}

/** Does something with a quote; the code for it comes with the first time. */
export async function act(card: HTMLElement, what: string): Promise<void> {
  await (await import("./acts.ts")).doWith(card, what);
}

async function actFromMenu(card: HTMLElement, what: string, menu: HTMLElement): Promise<void> {
  await act(card, what);
  if (what === "keep") await nameKeep(card, menu);
}

async function nameKeep(card: HTMLElement, menu: HTMLElement): Promise<void> {
  const { keepName } = await import("./acts.ts");
  element(menu, '[data-act="keep"]', HTMLButtonElement).textContent = keepName(card);
}

function addOpener(notes: Element, menu: HTMLElement): void {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  button.textContent = "•••";
  button.ariaLabel = deskWords().actions;
  button.lang = document.documentElement.lang;
  // The browser opens and closes the menu, tells screen readers, and gives the focus back.
  button.popoverTargetElement = menu;
  button.onclick = () => {
    opened = notes.closest("article");
    if (opened !== null) void nameKeep(opened, menu);
    // After the browser has opened it: a closed menu has no size.
    requestAnimationFrame(() => {
      if (menu.matches(":popover-open")) openAt(button, menu);
    });
  };
  item.append(button);
  notes.append(item);
}

/** Below the button, or above it where the window ends. */
function openAt(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, left } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const below = bottom + GAP + offsetHeight <= innerHeight;
  menu.style.top = `${Math.max(GAP, below ? bottom + GAP : top - GAP - offsetHeight)}px`;
  menu.style.left = `${Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP))}px`;
  menu.querySelector("button")?.focus();
}
