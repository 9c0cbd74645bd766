import { jsonFeedOf, siteFeed } from "../site/index.ts";

export const GET = () => jsonFeedOf(siteFeed());
