/** The quote of each of the last days, for feed readers. */
import { dayFeed, jsonFeedOf } from "../../site/index.ts";

export const GET = () => jsonFeedOf(dayFeed());
