/**
 * Whether a page's elements are closed and nested as they should be: what a browser would have to guess.
 *
 * It knows which end tags HTML lets one leave out; beyond that it is stricter than a browser and laxer than a validator.
 * Only the first fault of a page is kept, since the others often follow from it.
 */
import { namesIn, type Tag } from "./tags.ts";

/** Elements without content and end tag. */
const VOID = namesIn("area base br col embed hr img input link meta source track wbr");

/** Their end tag may be left out where their parent ends. */
const OPTIONAL_END = namesIn(
  "html head body p li dt dd option optgroup rt rp colgroup caption thead tbody tfoot tr td th",
);

/** They end an open paragraph (HTML, "the p element"). */
const ENDS_PARAGRAPH = namesIn(
  "address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul",
);

/** They may not hold another of their own, however deep. */
const NOT_IN_ITSELF = namesIn("a button form label");

/** Elements of another language than HTML, whose elements may close themselves. */
const FOREIGN = namesIn("svg math");

/** The siblings before an element that it ends, where their end tags were left out. */
const ENDS_SIBLINGS = new Map([
  ["li", namesIn("li")],
  ["dt", namesIn("dt dd")],
  ["dd", namesIn("dt dd")],
  ["option", namesIn("option")],
  ["optgroup", namesIn("option optgroup")],
  ["rt", namesIn("rt rp")],
  ["rp", namesIn("rt rp")],
  ["tr", namesIn("tr td th")],
  ["td", namesIn("td th")],
  ["th", namesIn("td th")],
  ["tbody", namesIn("thead tbody tr td th")],
  ["tfoot", namesIn("tbody tr td th")],
  ["body", namesIn("head")],
]);

export class Structure {
  /** The elements that are open, outermost first. */
  readonly open: string[] = [];
  #foreign = 0;
  #fault: string | null = null;

  take(tag: Tag): void {
    if (tag.closing) this.#close(tag.name);
    else this.#start(tag);
  }

  /** To be called once, behind the last tag. @returns the first fault; null for none */
  fault(): string | null {
    const left = this.open.findLast((name) => !OPTIONAL_END.has(name));
    if (left !== undefined) this.#note(`<${left}> is never closed`);
    return this.#fault;
  }

  #start({ name, names, selfClosing, isTorn }: Tag): void {
    if (isTorn) this.#note(`an attribute of <${name}> is not closed`);
    for (let at = 1; at < names.length; at++) {
      const attribute = names[at] ?? "";
      if (names.indexOf(attribute) < at) this.#note(`<${name}> has ${attribute} twice`);
    }
    const { open } = this;
    const isVoid = VOID.has(name);
    if (selfClosing && !isVoid) {
      if (this.#foreign === 0 && !FOREIGN.has(name)) this.#note(`<${name}/> does not close itself`);
      return;
    }
    const siblings = ENDS_SIBLINGS.get(name);
    while (siblings?.has(open.at(-1) ?? "") === true) open.pop();
    if (open.at(-1) === "p" && ENDS_PARAGRAPH.has(name)) open.pop();
    if (isVoid) return;
    if (NOT_IN_ITSELF.has(name) && open.includes(name))
      this.#note(`<${name}> is inside another <${name}>`);
    if (FOREIGN.has(name)) this.#foreign++;
    open.push(name);
  }

  #close(name: string): void {
    const { open } = this;
    const at = open.lastIndexOf(name);
    if (at === -1) return this.#note(`</${name}> closes nothing`);
    while (open.length > at + 1) {
      const inner = open.pop() ?? "";
      if (!OPTIONAL_END.has(inner)) this.#note(`</${name}> comes before the end of <${inner}>`);
    }
    open.pop();
    if (FOREIGN.has(name)) this.#foreign--;
  }

  #note(fault: string): void {
    this.#fault ??= fault;
  }
}
