/** The feed of the last days, a quote for each. */
import { dayFeed, rssOf } from "../../site/index.ts";

export const GET = () => rssOf(dayFeed());
