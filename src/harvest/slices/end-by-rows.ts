/** Lists whose pages have no `next` (docs/walk.md, section 3): the rows of a page show whether more follow. */
import type { GetQuotes } from "../../contract/window.ts";
import { countRecords } from "../context.ts";

/**
 * Reads a page that has no `next` as one that has: more follows where it is as full as a page can be.
 *
 * @param mostRows of a page of the list
 */
export function endByRows(get: GetQuotes, mostRows: number): GetQuotes {
  return async (filter, offset, limit, attempts) => {
    const page = await get(filter, offset, limit, attempts);
    if (page.shape !== "array" && page.shape !== "envelope without next") return page;
    const rows = countRecords(page);
    const isFull = rows >= Math.min(limit, mostRows);
    return { ...page, shape: "envelope", next: isFull ? { offset: offset + rows } : null };
  };
}
