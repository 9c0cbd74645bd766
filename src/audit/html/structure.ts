/**
 * Structural validation: whether the elements of a page are closed and nested correctly.
 *
 * It knows the end tags that HTML lets authors omit; it is stricter than a browser and less strict than a validator. Only the
 * first fault of a page is kept, since others often follow from it.
 */
import { namesIn, type Tag } from "./tags.ts";

const VOID = namesIn("area base br col embed hr img input link meta source track wbr");

/** Their end tag may be omitted at the end of their parent. */
const OPTIONAL_END = namesIn(
  "html head body p li dt dd option optgroup rt rp colgroup caption thead tbody tfoot tr td th",
);

/** Their start tag ends an open paragraph (HTML, "the p element"). */
const ENDS_PARAGRAPH = namesIn(
  "address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul",
);

/** They must not contain themselves at any depth. */
const NOT_IN_ITSELF = namesIn("a button form label");

/** Roots of other languages than HTML, in which a tag may end in `/>`. */
const FOREIGN = namesIn("svg math");

/** The open elements that a start tag ends, where their end tags are omitted. */
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
  /** Names of the open elements, outermost first. */
  readonly open: string[] = [];
  #foreign = 0;
  #fault: string | null = null;

  take(tag: Tag): void {
    if (tag.closing) this.#close(tag.name);
    else this.#start(tag);
  }

  /** Call it once, after the last tag. @returns the first fault; null for none */
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
