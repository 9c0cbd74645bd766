/** The feed of the last days, a quote for each. */
import { dayFeed, jsonFeedOf } from "../../site/index.ts";

export const GET = () => jsonFeedOf(dayFeed());
