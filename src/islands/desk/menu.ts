/**
 * What can be done with a quote: one button on each card, and one menu for the page, which goes to the card it is
 * opened on.
 */
import { element } from "../dom.ts";
import { writeFavourites, readFavourites } from "../keep/store.ts";
import { readCard } from "../share/card.ts";
import { canCopy, copyQuote, FORMATS, type Format } from "../share/clipboard.ts";
import { asText } from "../share/formats.ts";
import { announce, deskWords } from "./words.ts";

export function addMenus(): void {
  const menu = element(document, "#card-menu", HTMLUListElement);
  const cards = document.querySelectorAll<HTMLElement>("article.quote");
  if (cards.length === 0) return;
  for (const button of menu.querySelectorAll("button")) {
    const { act = "" } = button.dataset;
    const dead = act === "share" ? !("share" in navigator) : act !== "keep" && !canCopy();
    if (dead) button.parentElement?.remove();
  }
  for (const card of cards) card.querySelector(".notes")?.append(opener(card, menu));
  menu.addEventListener("click", ({ target }) => {
    const card = menu.closest<HTMLElement>("article.quote");
    const act = target instanceof HTMLButtonElement ? target.dataset["act"] : undefined;
    if (card !== null && act !== undefined) void doWith(card, act);
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") menu.closest("article")?.querySelector<HTMLElement>(".more")?.click();
  });
}

function opener(card: HTMLElement, menu: HTMLUListElement): HTMLLIElement {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  button.textContent = "⋯";
  button.ariaLabel = deskWords().actions;
  button.lang = document.documentElement.lang;
  button.ariaExpanded = "false";
  button.setAttribute("aria-controls", menu.id);
  button.addEventListener("click", () => {
    const open = button.ariaExpanded !== "true";
    for (const other of document.querySelectorAll(".more")) other.ariaExpanded = "false";
    button.ariaExpanded = String(open);
    if (open) {
      nameKeep(menu, readCard(card).id);
      card.append(menu);
    }
    menu.hidden = !open;
    (open ? menu.querySelector("button") : button)?.focus();
  });
  item.append(button);
  return item;
}

function nameKeep(menu: HTMLElement, id: number): void {
  const { base, keep, unkeep } = deskWords();
  const isKept = readFavourites(base).list.some(({ pk }) => pk === id);
  const button = menu.querySelector('[data-act="keep"]');
  if (button !== null) button.textContent = isKept ? unkeep : keep;
}

/** @param act `keep`, `share`, or a format to copy */
export async function doWith(card: HTMLElement, act: string): Promise<void> {
  const { copied, copyFailed } = deskWords();
  const quote = readCard(card);
  if (act === "keep") return toggleKept(card);
  if (act === "share") {
    try {
      await navigator.share({ text: asText(quote), url: quote.link });
    } catch (error) {
      // The reader changed their mind.
      if (!(error instanceof DOMException)) throw error;
    }
    return;
  }
  const format: Format = FORMATS.find((known) => known === act) ?? "text";
  announce((await copyQuote(quote, format)) ? copied : copyFailed);
}

function toggleKept(card: HTMLElement): void {
  const { base, keep, full, blocked, damaged } = deskWords();
  const { id, text, author, lang, dir, link } = readCard(card);
  const { list, trouble } = readFavourites(base);
  const without = list.filter(({ pk }) => pk !== id);
  const isKept = without.length < list.length;
  const { pathname, hash } = new URL(link);
  const path = `/${pathname.slice(base.length)}${hash}`;
  const next = isKept ? without : [...list, { pk: id, quote: text, author, lang, dir, path }];
  const outcome = trouble === "blocked" ? "blocked" : writeFavourites(base, next);
  if (outcome === "done") {
    const menu = element(document, "#card-menu", HTMLElement);
    if (card.contains(menu)) nameKeep(menu, id);
    announce(trouble === "damaged" ? damaged : `${isKept ? "−" : "✓"} ${keep}`);
  } else announce({ full, blocked }[outcome]);
}
