/**
 * Reads XML and insists that it is well-formed (XML 1.0, fifth edition), as the readers of feeds and sitemaps do.
 *
 * It knows no DTD: a document with one, and an entity beyond the five that XML has, is refused. Names are told as they
 * are written, with their prefixes.
 */
import { NAMED } from "../html/entities.ts";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  /** Its own, without that of its children. */
  text: string;
}

/** Why a text is no XML. */
export class NotXml extends Error {
  override readonly name = "NotXml";
}

const NAME = String.raw`[A-Za-z_:\u00C0-\uFFFD][\w:.\-\u00B7\u00C0-\uFFFD]*`;
const TOKEN = new RegExp(
  [
    String.raw`<!--(?<comment>(?:[^-]|-(?!-))*)-->`,
    String.raw`<!\[CDATA\[(?<data>[\s\S]*?)\]\]>`,
    String.raw`<\?(?!xml[\s?])${NAME}(?:\s[\s\S]*?)?\?>`,
    String.raw`</(?<end>${NAME})\s*>`,
    String.raw`<(?<start>${NAME})(?<attributes>(?:\s+${NAME}\s*=\s*(?:"[^<"]*"|'[^<']*'))*)\s*(?<empty>/?)>`,
    String.raw`(?<text>[^<]+)`,
  ].join("|"),
  "y",
);
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, "g");
const DECLARATION = /^\uFEFF?(?:<\?xml\s+version\s*=\s*["']1\.\d["'][^?<>]*\?>)?/;
// What XML does not allow anywhere, not even as a reference.
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u;

/** @throws {NotXml} naming the first fault and where it is */
export function parseXml(text: string): Element {
  const odd = FORBIDDEN.exec(text);
  if (odd !== null) throw new NotXml(`a character that XML does not have, at ${odd.index}`);
  const document: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [document];
  for (let at = DECLARATION.exec(text)?.[0].length ?? 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw new NotXml(`no markup it knows, at ${at}`);
    take(found.groups ?? {}, open, at);
    at = TOKEN.lastIndex;
  }
  const left = open.at(-1);
  if (open.length > 1) throw new NotXml(`<${left?.name ?? ""}> is never closed`);
  const [root] = document.children;
  if (root === undefined || document.children.length > 1) {
    throw new NotXml(`${document.children.length} elements at the top`);
  }
  return root;
}

function take(groups: Record<string, string | undefined>, open: Element[], at: number): void {
  const { start, end, text, data, attributes = "" } = groups;
  const parent = open.at(-1);
  if (parent === undefined) return;
  if (start !== undefined) {
    const element: Element = {
      name: start,
      attributes: attributesOf(attributes, at),
      children: [],
      text: "",
    };
    parent.children.push(element);
    if (groups["empty"] !== "/") open.push(element);
  } else if (end !== undefined) {
    if (open.length === 1 || parent.name !== end) {
      throw new NotXml(`</${end}> where </${parent.name}> should be, at ${at}`);
    }
    open.pop();
  } else if (open.length === 1) {
    if ((text ?? data ?? "").trim() !== "")
      throw new NotXml(`text outside of all elements, at ${at}`);
  } else if (data !== undefined) parent.text += data;
  else if (text !== undefined) {
    if (text.includes("]]>")) throw new NotXml(`"]]>" in a text, at ${at}`);
    parent.text += resolved(text, at);
  }
}

function attributesOf(text: string, at: number): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (name in attributes) throw new NotXml(`${name} twice in one element, at ${at}`);
    attributes[name] = resolved(double ?? single ?? "", at);
  }
  return attributes;
}

function resolved(text: string, at: number): string {
  return text.replace(/&(?:#x([\da-f]+);|#(\d+);|(\w+);)?/gi, (whole, hex, decimal, name) => {
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    const character =
      typeof name === "string"
        ? NAMED[name]
        : code >= 0 && code <= 0x10ffff
          ? String.fromCodePoint(code)
          : undefined;
    if (character === undefined || FORBIDDEN.test(character)) {
      throw new NotXml(`"${whole}" stands for nothing, at ${at}`);
    }
    return character;
  });
}

/** The text of the first child of a name; undefined where there is none. */
export function childText(element: Element, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
