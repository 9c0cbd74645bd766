/**
 * Where each quote's own link leads: to a page of its own, or to its place in its author's listing.
 *
 * The most liked have pages of their own, as many as are asked for; a page for each of a million quotes is more than
 * most hosts take.
 */
import type { Gathered } from "../gather/columns.ts";
import type { Membership } from "./membership.ts";

/**
 * For each quote, in the order of the columns: 0 where it has a page of its own, else the page of its author's listing,
 * from 1.
 */
export function permalinkPages(
  { quotes }: Gathered,
  { terms, start, members, order }: Membership,
  { quotePages, perPage }: { readonly quotePages: number; readonly perPage: number },
): Uint32Array {
  const pages = new Uint32Array(quotes);
  if (quotes <= quotePages) return pages;
  for (const [term, { kind }] of terms.entries()) {
    if (kind !== "author") continue;
    const places = members.subarray(start[term], start[term + 1]);
    for (const [index, place] of places.entries()) pages[place] = Math.floor(index / perPage) + 1;
  }
  for (const place of order.subarray(0, quotePages)) pages[place] = 0;
  return pages;
}
