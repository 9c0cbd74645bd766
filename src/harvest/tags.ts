/**
 * The tag list, walked as the quotes are: overlapping pages, each sharing a name with what is covered.
 *
 * Pages need its slugs, but can do without: a list that cannot be read whole is no reason to stop a harvest.
 */
import type { GetTags } from "../client/quotes.ts";
import type { Tag } from "../contract/tag.ts";

const OVERLAP = 2;
/** Pages in a row that bring no new tag: more is a list that goes round in a circle. */
const MOST_IDLE = 20;
/** More is a list that is made up as it is read. */
const MOST_TAGS = 100_000;
/** What the list is worth at most: pages of any size can be made up. */
const MOST_REQUESTS = 1_000;

/**
 * @returns every tag by name, in the order of the list; null when it has no end, or is no list of tags
 */
export async function walkTags(get: GetTags, pageSize: number): Promise<Tag[] | null> {
  const tags = new Map<string, Tag>();
  let offset = 0;
  let back = OVERLAP;
  let idle = 0;
  for (let asked = 0; asked < MOST_REQUESTS && tags.size <= MOST_TAGS; asked++) {
    if (idle++ > MOST_IDLE) return null;
    const page = await get(offset, pageSize);
    const got = page.items.length + page.quarantined.length;
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
