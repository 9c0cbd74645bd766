/** The quote of each of the last days, for feed readers. */
import { dayFeed, rssOf } from "../../site/index.ts";

export const GET = () => rssOf(dayFeed());
