/** Parses XML, which must be well-formed: feed readers and search engines refuse anything else. */
import { XMLValidator } from "fast-xml-parser";
import type { ReportFault } from "./file-check.ts";
import { DomUtils, parseDocument } from "htmlparser2";

export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** Characters that XML 1.0 forbids even as references (section 2.2). */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u;

/** The validator wrongly accepts these: an `&` that begins no reference, and references to undeclared entities. */
const BAD_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)[^\s;<]{0,20};?/;

const NOT_MARKUP = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->/g;

/** @returns the root element; null where the text is not well-formed, which is reported */
export function parseXml(text: string, reportFault: ReportFault): Element | null {
  const roots = childrenOf(parseDocument(text, { xmlMode: true }));
  const [root = null] = roots;
  const fault = faultOf(text) ?? (roots.length === 1 ? null : `it has ${roots.length} roots`);
  if (fault === null) return root;
  reportFault(`it is not well-formed: ${fault}`);
  return null;
}

function faultOf(text: string): string | null {
  const odd = FORBIDDEN.exec(text);
  if (odd !== null) return `a character that XML does not have, at ${odd.index}`;
  const valid = XMLValidator.validate(text);
  if (valid !== true) return `${valid.err.msg} (line ${valid.err.line})`;
  const reference = BAD_REFERENCE.exec(text.replace(NOT_MARKUP, ""));
  return reference === null ? null : `"${reference[0]}" is not a reference that XML has`;
}

/** @param name with its prefix; default every element */
export function childrenOf(
  { children }: Pick<ReturnType<typeof parseDocument>, "children">,
  name = "*",
): Element[] {
  return DomUtils.getElementsByTagName(name, children, false);
}

export const textOf = (element: Element): string => DomUtils.textContent(element);

export function childText(element: Element, name: string): string | undefined {
  return childrenOf(element, name).map(textOf)[0];
}
