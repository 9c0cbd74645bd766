/** What every page does once it is there: menus on its cards, keys, and permalinks that moved. */
import { addMenus } from "./menu.ts";
import { followPermalink } from "./moved.ts";
import { listenForKeys } from "./shortcuts.ts";

const missing = document.querySelector("[data-missing]") !== null;
const follow = () => void followPermalink(missing);

addMenus();
listenForKeys();
follow();
addEventListener("hashchange", follow);
