import { rssOf, siteFeed } from "../site/index.ts";

export const GET = () => rssOf(siteFeed());
