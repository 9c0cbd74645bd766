/** Keyboard shortcuts, their list, and a switch: with speech input a stray letter would be a command (WCAG 2.1.4). */
import { make, store, stored } from "../browser.ts";
import { addToPage, pageWords } from "./words.ts";

const OFF_KEY = "commonplace-shortcuts";

export function listenForKeys(): void {
  const { acts, search, next, previous, random, shortcuts, shortcutsOn, close } = pageWords();
  const keys: Readonly<Record<string, readonly [name: string | undefined, run: () => void]>> = {
    "/": [search, () => go("search/")],
    j: [next, () => step(1)],
    k: [previous, () => step(-1)],
    c: [acts["text"], () => doWithCurrent("text")],
    f: [acts["keep"], () => doWithCurrent("keep")],
    r: [random, () => go("random/")],
    "?": [shortcuts, () => dialog.showModal()],
  };
  const box = make("input", { type: "checkbox", checked: stored(OFF_KEY) !== "off" });
  box.addEventListener("change", () => store(OFF_KEY, box.checked ? null : "off"));
  const rows = Object.entries(keys).map(([key, [name = ""]]) =>
    make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, name)),
  );
  const dialog = make(
    "dialog",
    { id: "keys", ariaLabel: shortcuts },
    make("dl", {}, ...rows),
    make(
      "form",
      { method: "dialog" },
      make("label", {}, box, ` ${shortcutsOn}`),
      make("button", { type: "submit" }, close),
    ),
  );
  const opener = make("button", { type: "button", id: "keys-open" }, shortcuts);
  opener.onclick = () => dialog.showModal();
  addToPage(opener, dialog);
  document.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (!box.checked || ctrlKey || metaKey || altKey || dialog.open || isTyping(target)) return;
    const shortcut = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut[1]();
  });
}

function go(path: string): void {
  location.assign(pageWords().base + path);
}

/** All cards of the page, and which of them has the focus; -1 for none. */
function cards(): { all: HTMLElement[]; focused: number } {
  const all = [...document.querySelectorAll<HTMLElement>("article.quote")];
  return { all, focused: all.findIndex((card) => card.contains(document.activeElement)) };
}

/** @param act what `perform()` takes, done with the card that has the focus, or with the only one */
function doWithCurrent(act: string): void {
  const { all, focused } = cards();
  const card = all[all.length === 1 ? 0 : focused];
  if (card !== undefined) void import("./menu.ts").then(({ perform }) => perform(card, act));
}

function step(by: 1 | -1): void {
  const { all, focused } = cards();
  const card = all[focused < 0 ? 0 : focused + by];
  if (card === undefined) return;
  card.tabIndex = -1;
  card.focus();
  card.scrollIntoView({ block: "nearest" });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
