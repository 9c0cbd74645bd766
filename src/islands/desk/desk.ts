/** What every page does once it is there: menus on its cards, keys, and permalinks that moved. */
import { addMenus } from "./menu.ts";
import { listenForKeys } from "./shortcuts.ts";

const missing = document.querySelector("[data-missing]") !== null;

/** A link to a quote that is not here, or to a page that is not there, may have an answer elsewhere. */
async function follow(): Promise<void> {
  const isHere = !missing && document.getElementById(location.hash.slice(1)) !== null;
  if (isHere || !(missing || location.hash.startsWith("#q"))) return;
  await (await import("./moved.ts")).followPermalink(missing);
}

addMenus();
listenForKeys();
void follow();
addEventListener("hashchange", () => void follow());
