/** The button of each card that opens its menu. All that it does comes when it is first needed. */
import { make } from "../dom.ts";
import { deskWords } from "./words.ts";

const load = () => import("./menu.ts");

export function addOpeners(): void {
  for (const link of document.querySelectorAll("article.quote .permalink")) {
    const button = make("button", {
      type: "button",
      className: "more",
      ariaLabel: deskWords().actions,
      ariaHasPopup: "true",
      lang: document.documentElement.lang,
    });
    button.append("•••");
    button.onclick = () => void load().then(({ openMenu }) => openMenu(button));
    link.after(button);
  }
  const row = document.querySelector<HTMLElement>(".acts");
  if (row !== null) void load().then(({ addRow }) => addRow(row));
}

/** Does something with a quote. */
export async function act(card: HTMLElement, what: string): Promise<void> {
  await (await load()).doWith(card, what);
}
