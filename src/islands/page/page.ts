/** What every page does once it is there: the button of each card's menu, keys, and permalinks that moved. */
import { make } from "../browser.ts";
import { listenForKeys } from "./shortcuts.ts";
import { pageWords } from "./words.ts";

const missing = document.querySelector("[data-missing]") !== null;

/** The menu and what is in it are loaded when the reader first opens one. */
const loadMenu = () => import("./menu.ts");

function addMenuButtons(): void {
  for (const link of document.querySelectorAll("article.quote .permalink")) {
    const button = make("button", {
      type: "button",
      className: "more",
      ariaLabel: pageWords().actions,
      ariaHasPopup: "true",
      lang: document.documentElement.lang,
    });
    button.append("•••");
    button.onclick = () => void loadMenu().then(({ openMenu }) => openMenu(button));
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

addMenuButtons();
listenForKeys();
void follow();
addEventListener("hashchange", () => void follow());
addEventListener("load", () => void keepPages());
