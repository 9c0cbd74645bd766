import { parseXml, type Element } from "../../src/audit/files/xml.ts";

/** The root of a text that must be XML. */
export function rootOf(text: string): Element {
  const root = parseXml(text, (fault) => {
    throw new Error(fault);
  });
  if (root === null) throw new Error("XML without a fault has a root");
  return root;
}
