/** The same as `feed.xml`, for readers that take JSON. */
import { siteFeed } from "../site/feeds/feeds.ts";
import { jsonFeedOf } from "../site/feeds/formats.ts";

export const GET = () => jsonFeedOf(siteFeed("feed.json"));
