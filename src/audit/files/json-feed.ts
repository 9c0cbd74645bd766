/**
 * JSON Feed 1.1.
 *
 * @see https://www.jsonfeed.org/version/1.1/
 */
import { z } from "zod";
import { isRfc3339 } from "./dates.ts";
import type { FileCheck } from "./file-check.ts";

const VERSION = "https://jsonfeed.org/version/1.1";

const author = z
  .object({ name: z.string().optional(), url: z.url().optional(), avatar: z.url().optional() })
  .refine(({ name, url, avatar }) => (name ?? url ?? avatar) !== undefined, "says nothing");

const date = z.string().refine(isRfc3339, "is no date of RFC 3339").optional();

const item = z
  .object({
    id: z.string().min(1),
    url: z.string().optional(),
    title: z.string().optional(),
    content_html: z.string().optional(),
    content_text: z.string().optional(),
    date_published: date,
    date_modified: date,
    authors: z.array(author).optional(),
    tags: z.array(z.string()).optional(),
    language: z.string().optional(),
  })
  .refine(
    ({ content_html, content_text }) => (content_html ?? content_text) !== undefined,
    "has no content",
  );

const feed = z.object({
  version: z.literal(VERSION),
  title: z.string().min(1),
  home_page_url: z.string().optional(),
  feed_url: z.string().optional(),
  description: z.string().optional(),
  language: z.string().optional(),
  authors: z.array(author).optional(),
  items: z.array(item),
});

/** Whether a file is meant for a feed, good or bad. */
export function isJsonFeed(content: unknown): boolean {
  const version: unknown =
    Object(content) === content ? Reflect.get(content as object, "version") : null;
  return typeof version === "string" && version.includes("jsonfeed.org");
}

export function checkJsonFeed(content: unknown, { reportFault, link, isOwn }: FileCheck): void {
  const read = feed.safeParse(content);
  if (!read.success) {
    for (const { path, message } of read.error.issues) reportFault(`${path.join(".")}: ${message}`);
    return;
  }
  const { feed_url, home_page_url, items } = read.data;
  if (feed_url !== undefined && !isOwn(feed_url))
    reportFault("it names another address as its own");
  if (home_page_url !== undefined) link(home_page_url, "home_page_url");
  const ids = new Set<string>();
  for (const [index, { id, url }] of items.entries()) {
    if (ids.has(id)) reportFault(`items.${index} has the id of another`);
    ids.add(id);
    if (url !== undefined) link(url, `items.${index}.url`);
  }
}
