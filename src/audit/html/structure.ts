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

export function readStructure() {
  /** Names of the open elements, outermost first. */
  const open: string[] = [];
  let foreignDepth = 0;
  let firstFault: string | null = null;

  const report = (fault: string): void => {
    firstFault ??= fault;
  };

  function start({ name, names, selfClosing, isTorn }: Tag): void {
    if (isTorn) report(`an attribute of <${name}> is not closed`);
    const twice = names.find((attribute, at) => names.indexOf(attribute) < at);
    if (twice !== undefined) report(`<${name}> has ${twice} twice`);
    const isVoid = VOID.has(name);
    if (selfClosing && !isVoid) {
      if (foreignDepth === 0 && !FOREIGN.has(name)) report(`<${name}/> does not close itself`);
      return;
    }
    const siblings = ENDS_SIBLINGS.get(name);
    while (siblings?.has(open.at(-1) ?? "") === true) open.pop();
    if (open.at(-1) === "p" && ENDS_PARAGRAPH.has(name)) open.pop();
    if (isVoid) return;
    if (NOT_IN_ITSELF.has(name) && open.includes(name))
      report(`<${name}> is inside another <${name}>`);
    if (FOREIGN.has(name)) foreignDepth++;
    open.push(name);
  }

  function close(name: string): void {
    const at = open.lastIndexOf(name);
    if (at === -1) return report(`</${name}> closes nothing`);
    const inner = open.slice(at + 1).findLast((other) => !OPTIONAL_END.has(other));
    if (inner !== undefined) report(`</${name}> comes before the end of <${inner}>`);
    open.length = at;
    if (FOREIGN.has(name)) foreignDepth--;
  }

  return {
    open,
    take: (tag: Tag) => (tag.closing ? close(tag.name) : start(tag)),
    /** Call it once, after the last tag. @returns the first fault; null for none */
    fault: (): string | null => {
      const left = open.findLast((name) => !OPTIONAL_END.has(name));
      if (left !== undefined) report(`<${left}> is never closed`);
      return firstFault;
    },
  };
}
