/** Asks for a slice again that is refused once: one server of several may be starting (docs/walk.md, section 3). */
import type { GetQuotes } from "../../contract/window.ts";
import { isTooDeep } from "../pages.ts";

/** Refusals of a slice in a row that are believed. */
const ENOUGH_REFUSALS = 3;

/** Asks for a slice that is refused again, each time by another address. Past the end of a slice a refusal is an answer. */
export function untilAgreed(get: GetQuotes): GetQuotes {
  return async (filter, offset, limit, attempts) => {
    for (let refused = 1; ; refused++) {
      try {
        return await get(filter, offset, Math.max(1, limit + 1 - refused), attempts);
      } catch (error) {
        if (offset > 0 || !isTooDeep(error) || refused === ENOUGH_REFUSALS) throw error;
      }
    }
  };
}
