/** The quotes of the day, one for each language, for feed readers. */
import rss from "@astrojs/rss";
import { dayFeed } from "../layouts/feed.ts";

export const GET = () => rss(dayFeed());
