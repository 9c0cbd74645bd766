/**
 * Whether a page's elements are closed and nested as they should be: what a browser would have to guess.
 *
 * It knows which end tags HTML lets one leave out; beyond that it is stricter than a browser and laxer than a validator.
 * Only the first fault of a page is reported, since the others often follow from it.
 */
import type { Report } from "../finding.ts";
import type { Tag } from "./tags.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Elements that have no content and no end tag. */
const VOID = words("area base br col embed hr img input link meta source track wbr");

/** Elements whose end tag may be left out where their parent ends. */
const OPTIONAL = words(
  "html head body p li dt dd option optgroup rt rp colgroup caption thead tbody tfoot tr td th",
);

/** Elements that end an open paragraph (HTML, "the p element"). */
const ENDS_PARAGRAPH = words(
  "address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul",
);

/** Elements that end a sibling before them whose end tag was left out. */
const ENDS_SIBLING: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words("li"),
  dt: words("dt dd"),
  dd: words("dt dd"),
  option: words("option"),
  optgroup: words("option optgroup"),
  rt: words("rt rp"),
  rp: words("rt rp"),
  tr: words("tr td th"),
  td: words("td th"),
  th: words("td th"),
  tbody: words("thead tbody tr td th"),
  tfoot: words("tbody tr td th"),
  body: words("head"),
};

/** Elements that may not hold another of their own, however deep. */
const NOT_IN_ITSELF = words("a button form label");

export class Structure {
  readonly #open: string[] = [];
  #foreign = 0;
  #fault: string | null = null;

  take(tag: Tag): void {
    if (this.#fault !== null) return;
    if (tag.names.some((name) => /["'<=]/.test(name))) {
      this.#reportFault(`an attribute of <${tag.name}> is not closed`);
    }
    if (tag.closing) this.#close(tag.name);
    else this.#start(tag);
  }

  /** To be called once, behind the last tag. */
  check(report: Report): void {
    const left = this.#open.findLast((name) => !OPTIONAL.has(name));
    if (left !== undefined) this.#reportFault(`<${left}> is never closed`);
    if (this.#fault !== null) report("invalid HTML", this.#fault);
  }

  #start(tag: Tag): void {
    const { name } = tag;
    const twice = tag.names.find((attribute, at) => tag.names.indexOf(attribute) < at);
    if (twice !== undefined) this.#reportFault(`<${name}> has ${twice} twice`);
    if (VOID.has(name)) {
      if (ENDS_PARAGRAPH.has(name)) this.#endParagraph();
      return;
    }
    if (tag.selfClosing) {
      if (this.#foreign === 0 && name !== "svg" && name !== "math") {
        this.#reportFault(`<${name}/> does not close itself`);
      }
      return;
    }
    this.#endSiblings(name);
    if (ENDS_PARAGRAPH.has(name)) this.#endParagraph();
    if (NOT_IN_ITSELF.has(name) && this.#open.includes(name)) {
      this.#reportFault(`<${name}> is inside another <${name}>`);
    }
    if (name === "svg" || name === "math") this.#foreign++;
    this.#open.push(name);
  }

  #close(name: string): void {
    const open = this.#open;
    const at = open.lastIndexOf(name);
    if (at === -1) return this.#reportFault(`</${name}> closes nothing`);
    const between = open.slice(at + 1).find((inner) => !OPTIONAL.has(inner));
    if (between !== undefined) this.#reportFault(`</${name}> comes before the end of <${between}>`);
    open.length = at;
    if (name === "svg" || name === "math") this.#foreign--;
  }

  #endSiblings(name: string): void {
    const ended = ENDS_SIBLING[name];
    if (ended === undefined) return;
    while (ended.has(this.#open.at(-1) ?? "")) this.#open.pop();
  }

  #endParagraph(): void {
    if (this.#open.at(-1) === "p") this.#open.pop();
  }

  #reportFault(fault: string): void {
    this.#fault ??= fault;
  }
}
