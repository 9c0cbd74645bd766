/**
 * Whether a page's elements are closed and nested as they should be: what a browser would have to guess.
 *
 * It knows which end tags HTML lets one leave out; beyond that it is stricter than a browser and laxer than a validator.
 * Only the first fault of a page is reported, since the others often follow from it.
 */
import type { Report } from "../finding.ts";
import type { Tag } from "./tags.ts";

/** What HTML says of an element; what is not named here has none of it. */
interface Rules {
  /** It has no content and no end tag. */
  isVoid?: true;
  /** Its end tag may be left out where its parent ends. */
  isOptional?: true;
  /** It ends an open paragraph (HTML, "the p element"). */
  endsParagraph?: true;
  /** It may not hold another of its own, however deep. */
  notInItself?: true;
  /** It is of another language than HTML, whose elements may close themselves. */
  isForeign?: true;
  /** The siblings before it that it ends, where their end tags were left out. */
  endsSiblings?: string[];
}

const RULES = new Map<string, Rules>();

function rule(names: string, rules: Rules): void {
  for (const name of names.split(" ")) RULES.set(name, { ...RULES.get(name), ...rules });
}

rule("area base br col embed hr img input link meta source track wbr", { isVoid: true });
rule(
  "html head body p li dt dd option optgroup rt rp colgroup caption thead tbody tfoot tr td th",
  { isOptional: true },
);
rule(
  "address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul",
  { endsParagraph: true },
);
rule("a button form label", { notInItself: true });
rule("svg math", { isForeign: true });
rule("li", { endsSiblings: ["li"] });
rule("dt dd", { endsSiblings: ["dt", "dd"] });
rule("option", { endsSiblings: ["option"] });
rule("optgroup", { endsSiblings: ["option", "optgroup"] });
rule("rt rp", { endsSiblings: ["rt", "rp"] });
rule("tr", { endsSiblings: ["tr", "td", "th"] });
rule("td th", { endsSiblings: ["td", "th"] });
rule("tbody", { endsSiblings: ["thead", "tbody", "tr", "td", "th"] });
rule("tfoot", { endsSiblings: ["tbody", "tr", "td", "th"] });
rule("body", { endsSiblings: ["head"] });

const NO_RULES: Rules = {};

export class Structure {
  /** The elements that are open, outermost first. */
  readonly open: string[] = [];
  #foreign = 0;
  #fault: string | null = null;

  take(tag: Tag): void {
    if (tag.closing) this.#close(tag.name);
    else this.#start(tag);
  }

  /** To be called once, behind the last tag. */
  check(report: Report): void {
    const left = this.open.findLast((name) => RULES.get(name)?.isOptional !== true);
    if (left !== undefined) this.#reportFault(`<${left}> is never closed`);
    if (this.#fault !== null) report("invalid HTML", this.#fault);
  }

  #start({ name, names, selfClosing, isTorn }: Tag): void {
    if (isTorn) this.#reportFault(`an attribute of <${name}> is not closed`);
    for (let at = 1; at < names.length; at++) {
      const attribute = names[at] ?? "";
      if (names.indexOf(attribute) < at) this.#reportFault(`<${name}> has ${attribute} twice`);
    }
    const rules = RULES.get(name) ?? NO_RULES;
    if (selfClosing && rules.isVoid !== true) {
      if (this.#foreign === 0 && rules.isForeign !== true)
        this.#reportFault(`<${name}/> does not close itself`);
      return;
    }
    const { open } = this;
    if (rules.endsSiblings !== undefined) {
      while (rules.endsSiblings.includes(open.at(-1) ?? "")) open.pop();
    }
    if (rules.endsParagraph === true && open.at(-1) === "p") open.pop();
    if (rules.isVoid === true) return;
    if (rules.notInItself === true && open.includes(name))
      this.#reportFault(`<${name}> is inside another <${name}>`);
    if (rules.isForeign === true) this.#foreign++;
    open.push(name);
  }

  #close(name: string): void {
    const { open } = this;
    const at = open.lastIndexOf(name);
    if (at === -1) return this.#reportFault(`</${name}> closes nothing`);
    while (open.length > at + 1) {
      const inner = open.pop() ?? "";
      if (RULES.get(inner)?.isOptional !== true)
        this.#reportFault(`</${name}> comes before the end of <${inner}>`);
    }
    open.pop();
    if (RULES.get(name)?.isForeign === true) this.#foreign--;
  }

  #reportFault(fault: string): void {
    this.#fault ??= fault;
  }
}
