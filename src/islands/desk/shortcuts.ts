/** Keys for those who like them; a switch for those who talk to their computer, to whom a stray letter is a click. */
import { make } from "../dom.ts";
import { store, stored } from "../stored.ts";
import { act } from "./openers.ts";
import { addToDesk, deskWords } from "./words.ts";

const OFF_KEY = "commonplace-shortcuts";

export function listenForKeys(): void {
  const { keys, shortcuts, shortcutsOn, close } = deskWords();
  const box = make("input", { type: "checkbox", checked: stored(OFF_KEY) !== "off" });
  box.addEventListener("change", () => store(OFF_KEY, box.checked ? null : "off"));
  const rows = Object.entries(keys).map(([key, name]) =>
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
  opener.addEventListener("click", () => dialog.showModal());
  addToDesk(opener, dialog);
  document.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (!box.checked || ctrlKey || metaKey || altKey || dialog.open || isTyping(target)) return;
    const run = ACTS[key];
    if (run === undefined) return;
    event.preventDefault();
    if (key === "?") dialog.showModal();
    else run();
  });
}

const go = (path: string) => () => location.assign(deskWords().base + path);
const withCurrent = (what: string) => () => {
  const card = current();
  if (card !== undefined) void act(card, what);
};

const ACTS: Readonly<Record<string, () => void>> = {
  "/": go("search/"),
  "?": () => undefined,
  r: go("random/"),
  j: () => step(1),
  k: () => step(-1),
  c: withCurrent("text"),
  f: withCurrent("keep"),
};

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("article.quote")];
}

/** The card that has the focus, or the only one. */
function current(): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>("article.quote");
  const [first, second] = cards();
  return focused ?? (second === undefined ? first : undefined);
}

function step(by: 1 | -1): void {
  const all = cards();
  const focused = document.activeElement?.closest<HTMLElement>("article.quote");
  const at = focused ? all.indexOf(focused) + by : 0;
  const card = all[at];
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
