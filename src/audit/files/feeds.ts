/**
 * Validates feeds by their specifications, and RSS also by its best practices profile.
 *
 * @see https://www.rssboard.org/rss-specification
 * @see https://www.rssboard.org/rss-profile
 * @see RFC 4287 (Atom)
 * @see https://www.jsonfeed.org/version/1.1/
 */
import { z } from "zod";
import { isRfc3339, isRfc822 } from "./dates.ts";
import { readAs, type FileCheck, type ReportFault } from "./file-check.ts";
import { childrenOf, childText, textOf, type Element } from "./xml.ts";

const ATOM = "http://www.w3.org/2005/Atom";

/** @returns a function that reports an id which an earlier entry has */
function uniqueIds(reportFault: ReportFault) {
  const ids = new Set<string>();
  return (id: string, which: string, name = "id"): void => {
    if (ids.has(id)) reportFault(`${which} has the ${name} of another`);
    ids.add(id);
  };
}

const isSame = (address: string | undefined, own: URL): boolean =>
  URL.parse(address ?? "")?.href === own.href;

const hasText = (element: Element, name: string): boolean =>
  (childText(element, name) ?? "").trim() !== "";

export function checkRss(root: Element, { reportFault, link, own }: FileCheck): void {
  if (root.attribs["version"] !== "2.0") reportFault("it does not say that it is version 2.0");
  const channels = childrenOf(root, "channel");
  const [channel] = channels;
  if (channel === undefined || channels.length > 1)
    return reportFault(`it has ${channels.length} channels`);
  for (const name of ["title", "link", "description"]) {
    if (!hasText(channel, name)) reportFault(`its channel has no ${name}`);
  }
  link(childText(channel, "link") ?? "", "its link");
  for (const name of new Set(unknownPrefixes(root, [])))
    reportFault(`the prefix of ${name} is not declared`);
  for (const { attribs } of childrenOf(channel, "atom:link")) {
    if (attribs["rel"] === "self" && !isSame(attribs["href"], own))
      reportFault("it names another address as its own");
  }
  const checkDate = (element: Element, name: string, which: string): void => {
    const date = childText(element, name);
    if (date !== undefined && !isRfc822(date)) reportFault(`${which} has the ${name} "${date}"`);
  };
  for (const name of ["pubDate", "lastBuildDate"]) checkDate(channel, name, "its channel");
  const takeId = uniqueIds(reportFault);
  for (const [index, item] of childrenOf(channel, "item").entries()) {
    const which = `item ${index + 1}`;
    if (childText(item, "title") === undefined && childText(item, "description") === undefined) {
      reportFault(`${which} has neither title nor description`);
    }
    const address = childText(item, "link");
    if (address !== undefined) link(address, `${which}'s link`);
    const [guid] = childrenOf(item, "guid");
    if (guid !== undefined) {
      takeId(textOf(guid), which, "guid");
      if (guid.attribs["isPermaLink"] !== "false") link(textOf(guid), `${which}'s guid`);
    }
    checkDate(item, "pubDate", which);
  }
}

/** Names of elements with a prefix that no `xmlns` declares. */
function unknownPrefixes({ name, attribs, children }: Element, known: readonly string[]): string[] {
  const here = [...known, ...Object.keys(attribs)];
  const [prefix = "", local] = name.split(":");
  const isKnown = local === undefined || here.includes(`xmlns:${prefix}`);
  const inside = childrenOf({ children }).flatMap((child) => unknownPrefixes(child, here));
  return isKnown ? inside : [name, ...inside];
}

export function checkAtom(root: Element, { reportFault, link, own }: FileCheck): void {
  if (root.attribs["xmlns"] !== ATOM) reportFault("it is not in Atom's namespace");
  checkAtomElement(root, "it", reportFault);
  if (!isSame(atomLink(root, "self"), own))
    reportFault("it names no address or another as its own");
  link(atomLink(root, "alternate") ?? "", "its link");
  const isSigned = childrenOf(root, "author").length > 0;
  const takeId = uniqueIds(reportFault);
  for (const [index, entry] of childrenOf(root, "entry").entries()) {
    const which = `entry ${index + 1}`;
    checkAtomElement(entry, which, reportFault);
    takeId(childText(entry, "id") ?? "", which);
    if (!isSigned && childrenOf(entry, "author").length === 0)
      reportFault(`${which} has no author`);
    for (const { attribs } of childrenOf(entry, "category")) {
      if (attribs["term"] === undefined) reportFault(`${which} has a category without a term`);
    }
    const address = atomLink(entry, "alternate");
    if (address !== undefined) link(address, `${which}'s link`);
    else if (childrenOf(entry, "content").length === 0)
      reportFault(`${which} has neither link nor content`);
  }
}

/** Checks the elements that both an Atom feed and an entry must have. */
function checkAtomElement(element: Element, which: string, reportFault: ReportFault): void {
  for (const name of ["id", "title", "updated"]) {
    const found = childrenOf(element, name);
    if (found.length !== 1) reportFault(`${which} has ${found.length} of ${name}`);
    else if (name !== "title" && !hasText(element, name))
      reportFault(`${which} has an empty ${name}`);
  }
  for (const name of ["updated", "published"]) {
    const date = childText(element, name);
    if (date !== undefined && !isRfc3339(date)) reportFault(`${which} has the ${name} "${date}"`);
  }
  for (const author of childrenOf(element, "author")) {
    if (!hasText(author, "name")) reportFault(`${which} has an author without name`);
  }
}

/** A link without `rel` has the relation `alternate`. */
function atomLink(element: Element, rel: string): string | undefined {
  const links = childrenOf(element, "link");
  return links.find(({ attribs }) => (attribs["rel"] ?? "alternate") === rel)?.attribs["href"];
}

const authorSchema = z
  .object({ name: z.string().optional(), url: z.url().optional(), avatar: z.url().optional() })
  .refine(({ name, url, avatar }) => (name ?? url ?? avatar) !== undefined, "is empty");

const dateSchema = z.string().refine(isRfc3339, "is not a date of RFC 3339").optional();

const itemSchema = z
  .object({
    id: z.string().min(1),
    url: z.string().optional(),
    title: z.string().optional(),
    content_html: z.string().optional(),
    content_text: z.string().optional(),
    date_published: dateSchema,
    date_modified: dateSchema,
    authors: z.array(authorSchema).optional(),
    tags: z.array(z.string()).optional(),
    language: z.string().optional(),
  })
  .refine(
    ({ content_html, content_text }) => (content_html ?? content_text) !== undefined,
    "has no content",
  );

const feedSchema = z.object({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: z.string().optional(),
  feed_url: z.string().optional(),
  description: z.string().optional(),
  language: z.string().optional(),
  authors: z.array(authorSchema).optional(),
  items: z.array(itemSchema),
});

const anyFeedSchema = z.object({ version: z.string().includes("jsonfeed.org") });

/** Whether a file claims to be a JSON feed, valid or not. */
export const isJsonFeed = (content: unknown): boolean => anyFeedSchema.safeParse(content).success;

export function checkJsonFeed(content: unknown, { reportFault, link, own }: FileCheck): void {
  const read = readAs(feedSchema, content, reportFault);
  if (read === null) return;
  const { feed_url, home_page_url, items } = read;
  if (feed_url !== undefined && !isSame(feed_url, own))
    reportFault("it names another address as its own");
  if (home_page_url !== undefined) link(home_page_url, "home_page_url");
  const takeId = uniqueIds(reportFault);
  for (const [index, { id, url }] of items.entries()) {
    takeId(id, `items.${index}`);
    if (url !== undefined) link(url, `items.${index}.url`);
  }
}
