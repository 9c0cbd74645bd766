/** What every page does once it is there: the button of each card's menu, keys, and permalinks that moved. */
import { make, store, stored, pageWords, addToPage } from "../browser.ts";

const missing = document.querySelector("[data-missing]") !== null;

/** The menu and what is in it are loaded when the reader first opens one. */
const loadMenu = () => import("./menu.ts");

/** Where it cannot be loaded, as after a later build, the page is: a browser asks for a module once a page. */
const askForMenu = () =>
  loadMenu().catch((error: unknown) => {
    if (navigator.onLine) location.reload();
    throw error;
  });

function addMenuButtons(): void {
  for (const link of document.querySelectorAll("article.quote .permalink")) {
    const { lang } = document.documentElement;
    const ariaLabel = pageWords().actions;
    const names = { className: "more", ariaLabel, ariaHasPopup: "true", lang };
    const button = make("button", { type: "button", ...names }, "•••");
    button.onclick = () => void askForMenu().then(({ openMenu }) => openMenu(button));
    link.after(button);
  }
  const row = document.querySelector<HTMLElement>(".acts");
  if (row !== null) void loadMenu().then(({ addRow }) => addRow(row));
}

/** A link to a quote that is not here, or to a page that is not there, may have an answer elsewhere. */
async function follow(): Promise<void> {
  const isHere = !missing && document.getElementById(location.hash.slice(1)) !== null;
  if (isHere || !(missing || location.hash.startsWith("#q"))) return;
  await (await import("./permalink.ts")).followPermalink(missing);
}

/** Keeps pages for times without a connection; a browser may refuse, as it does in private windows. */
async function keepPages(): Promise<void> {
  const { base, offline } = pageWords();
  if (!offline || !("serviceWorker" in navigator) || window.top !== window) return;
  try {
    await navigator.serviceWorker.register(`${base}sw.js`);
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  }
}

const OFF_KEY = "commonplace-shortcuts";

/** Keyboard shortcuts, their list, and a switch: with speech input a stray letter would be a command (WCAG 2.1.4). */
function listenForKeys(): void {
  const { acts, search, next, previous, random, shortcuts, shortcutsOn, close } = pageWords();
  const open = (): void => dialog.showModal();
  const keys = [
    ["/", search, () => go("search/")],
    ["j", next, () => step(1)],
    ["k", previous, () => step(-1)],
    ["c", acts["text"], () => doWithCurrent("text")],
    ["f", acts["keep"], () => doWithCurrent("keep")],
    ["r", random, () => go("random/")],
    ["?", shortcuts, open],
  ] as const;
  const box = make("input", { type: "checkbox", checked: stored(OFF_KEY) !== "off" });
  box.addEventListener("change", () => store(OFF_KEY, box.checked ? null : "off"));
  const rows = keys.map(([key, name = ""]) =>
    make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, name)),
  );
  const dialog = make(
    "dialog",
    { id: "keys", ariaLabel: shortcuts },
    // It gets the focus: a small window would open at the switch, which comes last.
    make("dl", { tabIndex: -1, autofocus: true }, ...rows),
    make(
      "form",
      { method: "dialog" },
      make("label", {}, box, ` ${shortcutsOn}`),
      make("button", { type: "submit" }, close),
    ),
  );
  const opener = make("button", { type: "button", id: "keys-open" }, shortcuts);
  opener.onclick = open;
  addToPage(opener, dialog);
  document.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (!box.checked || ctrlKey || metaKey || altKey || dialog.open || isTyping(target)) return;
    const [, , run] = keys.find(([shortcut]) => shortcut === key) ?? [];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

function go(path: string): void {
  location.assign(pageWords().base + path);
}

/** All cards of the page but those that the reader reported, and which of them has the focus; -1 for none. */
function cards(): { all: HTMLElement[]; focused: number } {
  const all = [...document.querySelectorAll<HTMLElement>("article.quote:not([hidden])")];
  return { all, focused: all.findIndex((card) => card.contains(document.activeElement)) };
}

/** @param act what `perform()` takes, done with the card that has the focus, or with the only one */
function doWithCurrent(act: string): void {
  const { all, focused } = cards();
  const card = all[all.length === 1 ? 0 : focused];
  if (card !== undefined) void askForMenu().then(({ perform }) => perform(card, act));
}

function step(by: 1 | -1): void {
  const { all, focused } = cards();
  const card = all[focused < 0 ? 0 : focused + by];
  if (card === undefined) return;
  // In Safari, a key may copy only what needs no loading first.
  void loadMenu();
  card.tabIndex = -1;
  card.focus();
  // The browser puts the middle of a long quote into the window.
  card.scrollIntoView({ block: card.offsetHeight > innerHeight ? "start" : "nearest" });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

addMenuButtons();
listenForKeys();
void follow();
addEventListener("hashchange", () => void follow());
addEventListener("load", () => void keepPages());
