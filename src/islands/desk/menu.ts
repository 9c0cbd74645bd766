/**
 * What can be done with a quote: one button on each card, and one menu for the page, which goes to the card it is
 * opened on.
 */
import { element } from "../dom.ts";
import { deskWords } from "./words.ts";

/** Browsers have the clipboard on https and on this machine alone. */
const NEEDS: Readonly<Record<string, keyof Navigator>> = { share: "share" };

export function addMenus(): void {
  const menu = element(document, "#card-menu", HTMLUListElement);
  for (const button of menu.querySelectorAll("button")) {
    const { act = "" } = button.dataset;
    if (act !== "keep" && !((NEEDS[act] ?? "clipboard") in navigator))
      button.parentElement?.remove();
  }
  for (const notes of document.querySelectorAll("article.quote > .notes")) addOpener(notes, menu);
  menu.addEventListener("click", ({ target }) => {
    const act = target instanceof HTMLButtonElement ? target.dataset["act"] : undefined;
    const card = menu.closest<HTMLElement>("article");
    if (card !== null && act !== undefined) void actFromMenu(card, act, menu);
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") menu.closest("article")?.querySelector<HTMLElement>(".more")?.click();
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
  button.textContent = "⋯";
  button.ariaLabel = deskWords().actions;
  button.lang = document.documentElement.lang;
  button.ariaExpanded = "false";
  button.setAttribute("aria-controls", menu.id);
  button.onclick = () => {
    const open = button.ariaExpanded !== "true";
    const card = notes.closest("article");
    menu.closest("article")?.querySelector(".more")?.setAttribute("aria-expanded", "false");
    button.ariaExpanded = String(open);
    if (open && card !== null) {
      card.append(menu);
      void nameKeep(card, menu);
    }
    menu.hidden = !open;
    (open ? menu.querySelector("button") : button)?.focus();
  };
  item.append(button);
  notes.append(item);
}
