/**
 * What changes most, read first on a night whose budget will not reach the end of the collection: the most liked, the
 * quote of the day, the newest. All of it can be done without.
 */
import type { Filter, GetQuoteOfTheDay, ServedPage } from "../contract/window.ts";
import { keepPage, type HarvestContext } from "./context.ts";
import type { Optional } from "./optional.ts";

/** Requests that this takes. */
export const FRESHEN_REQUESTS = 3;

/**
 * @param list the list of the selection; a curated one is left alone, since a quote does not tell whether it is curated
 * @param newest offset of the newest quotes, where the newest stand last; where they stand first, the walk begins with them
 */
export async function freshen(
  context: HarvestContext,
  list: Filter,
  newest: number,
  quoteOfTheDay: GetQuoteOfTheDay,
  optional: Optional,
): Promise<void> {
  const { get, pageSize } = context;
  context.report({ kind: "phase", phase: "freshen" });
  const mostLiked = { ...list, mostLiked: true };
  const read: readonly [string, Filter, () => Promise<ServedPage>][] = [
    ["the most liked quotes", mostLiked, () => get(mostLiked, 0, pageSize, "once")],
    ["the newest quotes", list, () => get(list, newest, pageSize, "once")],
    ["the quote of the day", list, async () => pageOf(await quoteOfTheDay(list.language))],
  ];
  for (const [what, filter, ask] of read) {
    const page = await optional.ask(ask, (why) =>
      context.report({ kind: "remark", text: `${what} could not be read first: ${why}` }),
    );
    if (page !== null) keepPage(context, page, filter, "fresh");
  }
}

function pageOf(quotes: ServedPage["quotes"]): ServedPage {
  return { offset: 0, quotes, quarantined: [], shape: "envelope", next: null, count: null };
}
