/**
 * Looks for the attribution of a page: one `<a data-attribution href="…">` with something to read in it, inside the
 * page's own footer. The footer of an article or a section is not the page's.
 */
import type { Report } from "../finding.ts";
import type { Tag } from "../html/tags.ts";

/** Elements whose footer is their own (HTML, "the footer element"), and those whose content is not shown. */
const NOT_THE_PAGE = new Set(
  "article aside nav section blockquote details dialog fieldset figure template noscript".split(
    " ",
  ),
);

export class Attribution {
  readonly #html: string;
  readonly #hrefs: string[] = [];
  readonly #faults = new Set<string>();
  /** Depth of the outermost hidden element that is open. */
  #hiddenFrom = Infinity;
  /** Where the text of an open attribution starts; -1 when none is open. */
  #textStart = -1;

  constructor(html: string) {
    this.#html = html;
  }

  /**
   * @param open the elements that are open, with the one that the tag begins; a void element is not among them
   * @param isHidden whether its attributes hide the element
   */
  take(tag: Tag, open: readonly string[], isHidden: boolean): void {
    const matters = isHidden || this.#hiddenFrom !== Infinity;
    if (matters && open.length <= this.#hiddenFrom && open.at(-1) === tag.name)
      this.#hiddenFrom = isHidden ? open.length : Infinity;
    if (tag.name === "a" && tag.has("data-attribution")) this.#openLink(tag, open);
  }

  #openLink(tag: Tag, open: readonly string[]): void {
    this.#hrefs.push(tag.get("href") ?? "");
    this.#textStart = tag.end;
    if (!open.includes("footer") || open.some((name) => NOT_THE_PAGE.has(name)))
      this.#faults.add("it is not in the page's footer");
    if (this.#hiddenFrom !== Infinity) this.#faults.add("it is hidden");
  }

  /** @param end offset of `</a>` */
  closeLink(end: number): void {
    if (this.#textStart === -1) return;
    const text = this.#html.slice(this.#textStart, end).replace(/<[^>]*>/g, "");
    if (text.trim() === "") this.#faults.add("it says nothing");
    this.#textStart = -1;
  }

  /** @param href where it must lead */
  check(href: string, report: Report): void {
    if (this.#hrefs.length !== 1) report("attribution", `there are ${this.#hrefs.length}`);
    else if (this.#hrefs[0] !== href) report("attribution", "it leads somewhere else");
    for (const fault of this.#faults) report("attribution", fault);
  }
}
