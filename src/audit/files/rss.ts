/**
 * RSS 2.0, by its specification and the advice of its board.
 *
 * @see https://www.rssboard.org/rss-specification
 * @see https://www.rssboard.org/rss-profile
 */
import { isRfc822 } from "./dates.ts";
import type { FileCheck } from "./file-check.ts";
import { childText, type Element } from "./xml.ts";

const XMLNS = /^xmlns(?::|$)/;

export function checkRss(root: Element, { reportFault, link, isOwn }: FileCheck): void {
  if (root.attributes["version"] !== "2.0") reportFault("it does not say that it is version 2.0");
  const channels = root.children.filter(({ name }) => name === "channel");
  const [channel] = channels;
  if (channel === undefined || channels.length > 1)
    return reportFault(`it has ${channels.length} channels`);
  for (const name of ["title", "link", "description"]) {
    if ((childText(channel, name) ?? "").trim() === "") reportFault(`its channel has no ${name}`);
  }
  link(childText(channel, "link") ?? "", "its link");
  for (const name of unknownPrefixes(root, new Set()))
    reportFault(`the prefix of ${name} is not declared`);
  const self = channel.children.find(
    ({ name, attributes }) => name === "atom:link" && attributes["rel"] === "self",
  );
  if (self !== undefined && !isOwn(self.attributes["href"] ?? ""))
    reportFault("it names another address as its own");
  for (const name of ["pubDate", "lastBuildDate"])
    checkDate(channel, name, "its channel", reportFault);
  const ids = new Set<string>();
  for (const [index, item] of channel.children.filter(({ name }) => name === "item").entries()) {
    checkItem(item, `item ${index + 1}`, ids, { reportFault, link });
  }
}

function checkItem(
  item: Element,
  which: string,
  ids: Set<string>,
  { reportFault, link }: Pick<FileCheck, "reportFault" | "link">,
): void {
  if (childText(item, "title") === undefined && childText(item, "description") === undefined) {
    reportFault(`${which} has neither title nor description`);
  }
  const address = childText(item, "link");
  if (address !== undefined) link(address, `${which}'s link`);
  const guid = item.children.find(({ name }) => name === "guid");
  if (guid !== undefined) {
    if (ids.has(guid.text)) reportFault(`${which} has the guid of another`);
    ids.add(guid.text);
    if (guid.attributes["isPermaLink"] !== "false") link(guid.text, `${which}'s guid`);
  }
  checkDate(item, "pubDate", which, reportFault);
}

function checkDate(
  element: Element,
  name: string,
  which: string,
  reportFault: FileCheck["reportFault"],
): void {
  const date = childText(element, name);
  if (date !== undefined && !isRfc822(date)) reportFault(`${which} has the ${name} "${date}"`);
}

/** Elements with a prefix that no `xmlns` declares. */
function unknownPrefixes(element: Element, known: ReadonlySet<string>): Set<string> {
  const declared = Object.keys(element.attributes).filter((name) => XMLNS.test(name));
  const here = new Set([...known, ...declared.map((name) => name.slice("xmlns:".length))]);
  const unknown = new Set<string>();
  const [prefix = "", local] = element.name.split(":");
  if (local !== undefined && !here.has(prefix)) unknown.add(element.name);
  for (const child of element.children) {
    for (const name of unknownPrefixes(child, here)) unknown.add(name);
  }
  return unknown;
}
