/** Reads a quote off its card, as the reader sees it. */

export interface ShownQuote {
  readonly id: number;
  readonly text: string;
  readonly author: string;
  /** Link to its author's listing; absolute. */
  readonly by: string;
  /** Each with its link, which is empty where a tag has no listing. */
  readonly tags: readonly (readonly [name: string, link: string])[];
  /** BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** Absolute. */
  readonly link: string;
}

/** @throws {TypeError} when the element is no card of ours */
export function readCard(card: HTMLElement): ShownQuote {
  const link = card.querySelector<HTMLAnchorElement>("a.permalink");
  const text = card.querySelector("blockquote")?.textContent;
  if (link === null || text === undefined) throw new TypeError(`Cannot read ${card.id}: no card`);
  return {
    id: Number(card.dataset["pk"]),
    text: text.trim(),
    author: card.querySelector(".by")?.textContent.trim() ?? "",
    by: card.querySelector<HTMLAnchorElement>(".by a")?.href ?? "",
    tags: Array.from(card.querySelectorAll(".tag"), (tag) => [
      tag.textContent.trim(),
      tag.querySelector("a")?.href ?? "",
    ]),
    lang: card.lang,
    dir: card.dir === "rtl" ? "rtl" : "ltr",
    link: link.href,
  };
}
