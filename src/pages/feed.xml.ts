/** The quotes of the day, one for each language, for feed readers. */
import { siteFeed } from "../site/feeds/feeds.ts";
import { rssOf } from "../site/feeds/formats.ts";

export const GET = () => rssOf(siteFeed("feed.xml"));
