/**
 * Walks the tag list in overlapping pages, each of which shares a name with those before it.
 *
 * The list is optional: a harvest continues without it.
 */
import type { GetTags } from "../client/index.ts";
import type { Tag } from "../contract/quote.ts";

const OVERLAP = 2;
/** Most consecutive pages without a new tag; with more, the list is circular. */
const MOST_IDLE = 20;
/** With more tags, the service generates the list endlessly. */
const MOST_TAGS = 100_000;
/** A generated list may have pages of any size. */
const MOST_REQUESTS = 1_000;

/**
 * Reads the tag list; a second time if it lacks a published tag or its slug, since one answer may be false and slugs are
 * parts of addresses.
 *
 * @param published the list of the previous snapshot
 * @returns null when there is no such list, or two readings of it differ
 */
export async function readTagList(
  get: GetTags,
  pageSize: number,
  published: readonly Tag[],
): Promise<Tag[] | null> {
  const tags = await walkTags(get, pageSize);
  if (tags === null) return null;
  const slugs = new Map(tags.map(({ name, slug }) => [name, slug]));
  const holds = (others: readonly Tag[]): boolean =>
    others.every(({ name, slug }) => slugs.get(name) === slug);
  if (holds(published)) return tags;
  const again = await walkTags(get, pageSize);
  return again?.length === tags.length && holds(again) ? tags : null;
}

/** @returns every tag, in the order of the list; null when the list has no end, or is not a list of tags */
async function walkTags(get: GetTags, pageSize: number): Promise<Tag[] | null> {
  const tags = new Map<string, Tag>();
  let offset = 0;
  let back = OVERLAP;
  let idle = 0;
  for (let asked = 0; asked < MOST_REQUESTS && tags.size <= MOST_TAGS; asked++) {
    if (idle++ > MOST_IDLE) return null;
    const page = await get(offset, pageSize);
    const got = page.items.length + page.quarantined.length + page.vacant.length;
    if ((got > 0 && page.items.length === 0) || page.shape !== "envelope") return null;
    const linked = offset === 0 || page.items.some(({ name }) => tags.has(name));
    if (!linked) {
      offset = Math.max(0, offset - back);
      back *= 2;
      continue;
    }
    const known = tags.size;
    for (const tag of page.items) tags.set(tag.name, tag);
    if (page.next === null) return [...tags.values()];
    if (tags.size > known) idle = 0;
    back = OVERLAP;
    offset += Math.max(1, got - OVERLAP);
  }
  return null;
}
