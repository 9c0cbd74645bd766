/**
 * Atom.
 *
 * @see RFC 4287
 */
import { isRfc3339 } from "./dates.ts";
import type { FileCheck } from "./file-check.ts";
import { childText, type Element } from "./xml.ts";

const NAMESPACE = "http://www.w3.org/2005/Atom";

export function checkAtom(root: Element, { reportFault, link, isOwn }: FileCheck): void {
  if (root.attributes["xmlns"] !== NAMESPACE) reportFault("it is not in Atom's namespace");
  checkEach(root, "it", reportFault);
  const entries = root.children.filter(({ name }) => name === "entry");
  const self = linkOf(root, "self");
  if (self === undefined || !isOwn(self)) reportFault("it names no address or another as its own");
  link(linkOf(root, "alternate") ?? "", "its link");
  const isSigned = childOf(root, "author") !== undefined;
  const ids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const which = `entry ${index + 1}`;
    checkEach(entry, which, reportFault);
    const id = childText(entry, "id") ?? "";
    if (ids.has(id)) reportFault(`${which} has the id of another`);
    ids.add(id);
    if (!isSigned && childOf(entry, "author") === undefined) reportFault(`${which} has no author`);
    for (const { name, attributes } of entry.children) {
      if (name === "category" && attributes["term"] === undefined)
        reportFault(`${which} has a category without a term`);
    }
    const address = linkOf(entry, "alternate");
    if (address !== undefined) link(address, `${which}'s link`);
    else if (childOf(entry, "content") === undefined)
      reportFault(`${which} has neither link nor content`);
  }
}

/** What a feed and an entry both must have, once. */
function checkEach(element: Element, which: string, reportFault: FileCheck["reportFault"]): void {
  for (const name of ["id", "title", "updated"]) {
    const found = element.children.filter((child) => child.name === name);
    if (found.length !== 1) reportFault(`${which} has ${found.length} of ${name}`);
    else if (name !== "title" && found[0]?.text.trim() === "")
      reportFault(`${which} has an empty ${name}`);
  }
  for (const name of ["updated", "published"]) {
    const date = childText(element, name);
    if (date !== undefined && !isRfc3339(date)) reportFault(`${which} has the ${name} "${date}"`);
  }
  for (const author of element.children.filter(({ name }) => name === "author")) {
    if ((childText(author, "name") ?? "").trim() === "")
      reportFault(`${which} has an author without name`);
  }
}

const childOf = (element: Element, name: string): Element | undefined =>
  element.children.find((child) => child.name === name);

/** A link without `rel` is an alternate. */
function linkOf(element: Element, rel: string): string | undefined {
  return element.children.find(
    ({ name, attributes }) => name === "link" && (attributes["rel"] ?? "alternate") === rel,
  )?.attributes["href"];
}
