/** Reads XML and insists that it is well-formed, as the readers of feeds and sitemaps do. */
import { XMLParser, XMLValidator } from "fast-xml-parser";

export interface Element {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, without that of its children. */
  readonly text: string;
}

/** Why a text is not XML. */
export class NotXml extends Error {
  override readonly name = "NotXml";
}

/** Characters that XML 1.0 forbids even as references (section 2.2). */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u;

/** The validator accepts these two: an `&` that begins no reference, and references to entities without a DTD. */
const BAD_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)[^\s;<]{0,20};?/;

const NOT_MARKUP = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->/g;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
});

/** @throws {NotXml} naming the first fault */
export function parseXml(text: string): Element {
  const odd = FORBIDDEN.exec(text);
  if (odd !== null) throw new NotXml(`a character that XML does not have, at ${odd.index}`);
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new NotXml(`${valid.err.msg} (line ${valid.err.line})`);
  const reference = BAD_REFERENCE.exec(text.replace(NOT_MARKUP, ""));
  if (reference !== null) throw new NotXml(`"${reference[0]}" is not a reference that XML has`);
  const roots = elements(parser.parse(text) as Node[]);
  const [root] = roots;
  if (root === undefined || roots.length > 1) throw new NotXml(`it has ${roots.length} roots`);
  return root;
}

/** A node of fast-xml-parser's ordered form: its only key besides the attributes is its name. */
type Node = Readonly<Record<string, unknown>>;

const TEXT = "#text";
const ATTRIBUTES = ":@";

function elements(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? TEXT;
    if (name === TEXT || name.startsWith("?")) return [];
    const content = node[name] as readonly Node[];
    const texts = content.filter((child) => TEXT in child).map((child) => String(child[TEXT]));
    const attributes = (node[ATTRIBUTES] ?? {}) as Record<string, string>;
    return [{ name, attributes, children: elements(content), text: texts.join("") }];
  });
}

/** The text of the first child of a name; undefined where there is none. */
export function childText(element: Element, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
