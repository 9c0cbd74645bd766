/** What every page does once it is there: menus on its cards, keys, and permalinks that moved. */
import { addOpeners } from "./openers.ts";
import { listenForKeys } from "./shortcuts.ts";
import { deskWords } from "./words.ts";

const missing = document.querySelector("[data-missing]") !== null;

/** A link to a quote that is not here, or to a page that is not there, may have an answer elsewhere. */
async function follow(): Promise<void> {
  const isHere = !missing && document.getElementById(location.hash.slice(1)) !== null;
  if (isHere || !(missing || location.hash.startsWith("#q"))) return;
  await (await import("./moved.ts")).followPermalink(missing);
}

/** Keeps pages for times without a connection; a browser may refuse, as it does in private windows. */
async function keepPages(): Promise<void> {
  const { base, offline } = deskWords();
  if (!offline || !("serviceWorker" in navigator) || window.top !== window) return;
  try {
    await navigator.serviceWorker.register(`${base}sw.js`);
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  }
}

addOpeners();
listenForKeys();
void follow();
addEventListener("hashchange", () => void follow());
addEventListener("load", () => void keepPages());
