/** The script of every page: the buttons of cards, keyboard shortcuts, moved permalinks and the service worker. */
import {
  addToPage,
  favouritesKey,
  fillIn,
  make,
  onStorageChange,
  pageWords,
  readStorage,
  writeStorage,
} from "../browser.ts";

const missing = document.querySelector("[data-missing]") !== null;

/** The code of the menu is loaded when the reader first opens it. */
const loadMenu = () => import("./menu.ts");

/** Reloads the page where the module is missing, as after a later build: browsers request a module only once a page. */
const loadMenuOrReload = () =>
  loadMenu().catch((error: unknown) => {
    if (navigator.onLine) location.reload();
    throw error;
  });

/** Whether the reader had selected a text when the pointer went down: then a click clears the selection. */
let hadSelection = false;

const isSelecting = (): boolean => getSelection()?.isCollapsed === false;

/** Time in which a second click selects a word, in milliseconds. */
const DOUBLE_CLICK_MS = 250;

/** Lets the cards of the page act: until here their buttons could do nothing. */
function activateCards(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(".do button"))
    button.disabled = false;
  document.addEventListener("pointerdown", () => (hadSelection = isSelecting()));
  document.addEventListener("click", ({ target, ctrlKey, metaKey, shiftKey }) => {
    const part = target instanceof Element ? target : null;
    const card = part?.closest<HTMLElement>("article.quote");
    if (!card) return;
    const button = part?.closest<HTMLButtonElement>(".do button");
    if (!button) {
      const isText = part?.closest("blockquote") && !part.closest("a");
      if (isText && !hadSelection && !ctrlKey && !metaKey && !shiftKey) openPageOf(card);
      return;
    }
    const { act } = button.dataset;
    void loadMenuOrReload().then(({ openMenu, perform }) =>
      act === undefined ? openMenu(button) : perform(card, act),
    );
  });
  const row = document.querySelector<HTMLElement>(".acts");
  if (row !== null) void loadMenu().then(({ addRow }) => addRow(row));
  showKept();
  onStorageChange(showKept);
}

/** Shows what is kept. Most readers keep nothing, and load no code for it. */
function showKept(): void {
  if (
    readStorage(favouritesKey(pageWords().base)) ||
    document.querySelector(".do [aria-pressed=true]")
  )
    void loadMenu().then(({ showKept }) => showKept());
}

/** Follows the permalink of a card whose text is pressed, unless it leads to this page, or the press selects a word. */
function openPageOf(card: HTMLElement): void {
  const link = card.querySelector<HTMLAnchorElement>(".permalink");
  if (link === null || link.pathname === location.pathname) return;
  setTimeout(() => {
    if (!isSelecting()) link.click();
  }, DOUBLE_CLICK_MS);
}

/** Looks for the quote of a permalink elsewhere, where this page does not have it or does not exist. */
async function followMovedPermalink(): Promise<void> {
  const isHere = !missing && document.getElementById(location.hash.slice(1)) !== null;
  if (isHere || !(missing || location.hash.startsWith("#q"))) return;
  await (await import("./permalink.ts")).followPermalink(missing);
}

/** Registers the service worker. A browser may refuse, as in private windows. */
async function registerWorker(): Promise<void> {
  const { base, offline } = pageWords();
  if (!offline || !("serviceWorker" in navigator) || window.top !== window) return;
  try {
    await navigator.serviceWorker.register(`${base}sw.js`);
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  }
}

/** Says that this page is a copy from the service worker, and of when. */
function sayWhenCopied({ data }: MessageEvent<{ readonly copyFrom?: string | null }>): void {
  const { copyFrom } = pageWords();
  const date = new Date(data.copyFrom ?? "");
  if (copyFrom === undefined || Number.isNaN(date.getTime())) return;
  const when = date.toLocaleString(document.documentElement.lang, {
    dateStyle: "long",
    timeStyle: "short",
  });
  document
    .querySelector("main")
    ?.before(make("aside", { className: "stale", role: "status" }, fillIn(copyFrom, when)));
}

const another = document.querySelector<HTMLAnchorElement>("a.another");

/** Has the link to another quote choose one. */
function activateAnother(link: HTMLAnchorElement): void {
  const load = () => import("../another.ts");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void load().then(({ goOn }) => goOn(link));
  });
  if (link.dataset["now"] !== undefined) void load().then(({ goOn }) => goOn(link, true));
  else if (document.querySelector(".acts") !== null)
    void load().then(({ lookAhead }) => lookAhead(link));
}

const OFF_KEY = "commonplace-shortcuts";

/** Adds keyboard shortcuts, the dialog that lists them, and a switch to turn them off (WCAG 2.1.4). */
function listenForKeys(): void {
  const { copies, keep, search, next, previous, random, shortcuts, shortcutsOn, close } =
    pageWords();
  const open = (): void => dialog.showModal();
  const keys = [
    ["/", search, () => go("search/")],
    ["j", next, () => step(1)],
    ["k", previous, () => step(-1)],
    ["c", copies["text"], () => doWithCurrent("text")],
    ["f", keep, () => doWithCurrent("keep")],
    ["r", random, () => (another === null ? go("random/") : another.click())],
    ["?", shortcuts, open],
  ] as const;
  const box = make("input", { type: "checkbox", checked: readStorage(OFF_KEY) !== "off" });
  box.addEventListener("change", () => writeStorage(OFF_KEY, box.checked ? null : "off"));
  const rows = keys.map(([key, name = ""]) =>
    make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, name)),
  );
  const dialog = make(
    "dialog",
    { id: "keys", ariaLabel: shortcuts },
    // The title gets the focus: otherwise the switch would, and a small window would scroll to it.
    make("h2", { tabIndex: -1, autofocus: true }, shortcuts),
    make("dl", {}, ...rows),
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
    const { target, ctrlKey, metaKey, altKey } = event;
    if (!box.checked || ctrlKey || metaKey || altKey || dialog.open || isTyping(target)) return;
    const typed = typedKey(event);
    const [, , run] = keys.find(([shortcut]) => shortcut === typed) ?? [];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

/**
 * What a key types; for a letter of another script, what the key types on a Latin keyboard. The key of the slash types a full
 * stop on Cyrillic and Hebrew keyboards.
 */
function typedKey({ key, code }: KeyboardEvent): string {
  const isOther = key === "." || (/^[\p{L}\p{M}]+$/u.test(key) && !/\p{Script=Latin}/u.test(key));
  if (!isOther) return key.toLowerCase();
  return code === "Slash" ? "/" : code.replace(/^Key/, "").toLowerCase();
}

function go(path: string): void {
  location.assign(pageWords().base + path);
}

/** The visible cards of the page, and the index of the one with the focus; -1 for none. */
function cards(): { all: HTMLElement[]; focused: number } {
  const all = [...document.querySelectorAll<HTMLElement>("article.quote:not([hidden])")];
  return { all, focused: all.findIndex((card) => card.contains(document.activeElement)) };
}

/** Performs an action on the card with the focus, or on the only card. @param act an argument of `perform()` */
function doWithCurrent(act: string): void {
  const { all, focused } = cards();
  const card = all[all.length === 1 ? 0 : focused];
  if (card !== undefined) void loadMenuOrReload().then(({ perform }) => perform(card, act));
}

function step(by: 1 | -1): void {
  const { all, focused } = cards();
  const card = all[focused < 0 ? 0 : focused + by];
  if (card === undefined) return;
  // In Safari, a keyboard shortcut can copy only if the code is loaded already.
  void loadMenu();
  card.tabIndex = -1;
  card.focus();
  // By default the browser would show the middle of a long quote.
  card.scrollIntoView({ block: card.offsetHeight > innerHeight ? "start" : "nearest" });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

if ("serviceWorker" in navigator)
  navigator.serviceWorker.addEventListener("message", sayWhenCopied);
activateCards();
if (another !== null) activateAnother(another);
listenForKeys();
void followMovedPermalink();
addEventListener("hashchange", () => void followMovedPermalink());
addEventListener("load", () => void registerWorker());
