/**
 * What changes most, read first on a night whose budget will not reach the end of the collection: the most liked, the
 * quote of the day, the newest.
 */
import type { GetQuoteOfTheDay } from "../contract/window.ts";
import { PermanentAnswer, GarbledAnswer } from "../contract/refused-answer.ts";
import { EVERYTHING } from "../contract/window.ts";
import { keepPage, type HarvestContext } from "./context.ts";

/** Requests that this takes. */
export const FRESHEN_REQUESTS = 3;

/** @param newest offset of the newest quotes, where the newest stand last; where they stand first, the walk begins with them */
export async function freshen(
  context: HarvestContext,
  quoteOfTheDay: GetQuoteOfTheDay,
  newest: number,
): Promise<void> {
  const { get, pageSize } = context;
  context.report({ kind: "phase", phase: "freshen" });
  const mostLiked = { ...EVERYTHING, mostLiked: true };
  keepPage(context, await get(mostLiked, 0, pageSize), mostLiked, "fresh");
  keepPage(context, await get(EVERYTHING, newest, pageSize), EVERYTHING, "fresh");
  try {
    const quotes = await quoteOfTheDay();
    const page = { offset: 0, quotes, quarantined: [], next: null, count: null };
    keepPage(context, { ...page, shape: "record" }, EVERYTHING, "fresh");
  } catch (error) {
    // Not every service of this kind has one.
    if (!(error instanceof PermanentAnswer || error instanceof GarbledAnswer)) throw error;
  }
}
