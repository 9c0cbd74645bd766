/** The same as `feed.xml`, for readers that take JSON. */
import { jsonFeedOf, siteFeed } from "../site/index.ts";

export const GET = () => jsonFeedOf(siteFeed("feed.json"));
