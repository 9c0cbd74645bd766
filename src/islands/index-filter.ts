/** The field above a long index: of the names it leaves those that have the words that are typed, and asks for nothing. */
import { element } from "./browser.ts";
import { sifter } from "./sifter.ts";

const box = element(document, ".index-filter", HTMLElement);
const field = element(box, "input", HTMLInputElement);
const count = element(box, "output", HTMLOutputElement);
const items = [...document.querySelectorAll<HTMLElement>(".index-filter ~ .index > li")];
/** Without the numbers of quotes. */
const names = new Map(
  items.map((item) => [
    item,
    Array.from(item.querySelectorAll("a, small"), (part) => part.textContent).join(" "),
  ]),
);

function filter(): void {
  const isWanted = sifter(field.value);
  for (const item of items) item.hidden = !isWanted(names.get(item) ?? "");
  const { lang } = document.documentElement;
  const [left, all] = [items.filter(({ hidden }) => !hidden).length, items.length];
  count.textContent =
    left === all ? "" : `${left.toLocaleString(lang)} / ${all.toLocaleString(lang)}`;
}

field.addEventListener("input", filter);
// A browser that comes back to the page may keep what was typed.
addEventListener("pageshow", filter);
