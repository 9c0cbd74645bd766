/**
 * Compares slices with the list that they are cut from: an index behind the filters of a service may lack quotes, and two answers
 * of it agree all the same (docs/walk.md, section 3).
 */
import { servedTextOf, type Quote } from "../../contract/quote.ts";
import { filterName, type Filter } from "../../contract/window.ts";
import { isEndOfList, keysOf, type HarvestContext } from "../context.ts";
import { orNull } from "../optional.ts";
import { Pages } from "../pages.ts";
import { UNITS } from "../units.ts";

/**
 * New quotes that a slice may lack where nothing is published: an index takes some time to have them. What is published was there a
 * night ago.
 */
const MOST_NEW = 5;
/** Pages of the list that are read again. */
const MOST_PAGES = 3;
/** Records less than a page may have: another address for a cache. */
const FEWER = 2;

/**
 * Whether the list still shows a quote that no slice of it showed, nor one of its own length does now. What was deleted or edited
 * since the walk passed it is none, nor is a new quote.
 *
 * @param inclusive whether the bounds of length are inclusive
 */
export async function hidesListed(
  list: Filter,
  context: HarvestContext,
  inclusive: boolean,
): Promise<boolean> {
  const { store, published, requestsLeft = () => Infinity } = context;
  const hidden = new Set(list.curated ? [] : store.findUnsliced(list));
  const isFirst = published === null || published === undefined;
  if (isFirst && hidden.size <= MOST_NEW) return false;
  if (!isFirst) for (const pk of hidden) if (!store.publishedQuote(pk)) hidden.delete(pk);
  const pages = new Pages(list, context);
  const places = new Set<number>();
  for (const pk of hidden) {
    if (places.size === MOST_PAGES || requestsLeft() < 2 * MOST_PAGES) break;
    const offset = store.windowWith(filterName(list), pk)?.offset;
    if (offset === undefined || places.has(offset)) continue;
    places.add(offset);
    const page = await pages.readUnchecked(offset, FEWER);
    const listed = page?.quotes.find(({ id }) => hidden.has(id));
    if (listed !== undefined && (await isHidden(listed, list, context, inclusive))) return true;
  }
  return false;
}

async function isHidden(
  quote: Quote,
  list: Filter,
  { get, pageSize }: HarvestContext,
  inclusive: boolean,
): Promise<boolean> {
  const lengths = UNITS.map((unit) => unit(servedTextOf(quote)));
  const margin = inclusive ? 0 : 1;
  const [minLength, maxLength] = [Math.min(...lengths) - margin, Math.max(...lengths) + margin];
  const answer = await orNull(get({ ...list, minLength, maxLength }, 0, pageSize));
  return answer !== null && isEndOfList(answer) && !keysOf(answer).includes(quote.id);
}
