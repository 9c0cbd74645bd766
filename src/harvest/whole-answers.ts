/**
 * Some services have no pages: each answer is the whole list, whatever offset and limit a request names. This module cuts the page
 * that was requested out of it (docs/walk.md, section 5).
 */
import { isSlice, type GetQuotes, type ServedPage } from "../contract/window.ts";
import { countRecords, keysOf, rowKeysOf } from "./context.ts";

/** @returns requests whose answers are pages, also where the service has none */
export function cutIntoPages(get: GetQuotes): GetQuotes {
  /** Null until an answer without `next` came. */
  let isWhole: boolean | null = null;
  return async (filter, offset, limit, attempts) => {
    const page = await get(filter, offset, limit, attempts);
    const rows = countRecords(page);
    const mayShow = offset === 0 && rows > 1 && !isSlice(filter) && !saysMore(page, rows);
    if (isWhole === null && mayShow) {
      const keys = JSON.stringify(keysOf(page));
      const isSame = async (from: number): Promise<boolean> =>
        JSON.stringify(keysOf(await get(filter, from, 1, attempts))) === keys;
      isWhole = (await isSame(0)) && (await isSame(rows));
    }
    return isWhole === true && hasNoNext(page) ? cut(page, offset) : page;
  };
}

const hasNoNext = ({ shape }: ServedPage): boolean =>
  shape === "array" || shape === "envelope without next";

/** Whether a page is a part, as far as it says itself. */
const saysMore = (page: ServedPage, rows: number): boolean =>
  !hasNoNext(page) || (page.count ?? rows) > rows;

/** The rows of a list from an offset on. */
function cut(page: ServedPage, offset: number): ServedPage {
  const keys = new Set<unknown>(rowKeysOf(page).slice(offset));
  return {
    ...page,
    shape: "envelope",
    next: null,
    quotes: page.quotes.filter(({ id }) => keys.has(id)),
    quarantined: page.quarantined
      .filter(({ index }) => index >= offset)
      .map((one) => ({ ...one, index: one.index - offset })),
    vacant: (page.vacant ?? []).filter((place) => place >= offset).map((place) => place - offset),
  };
}
