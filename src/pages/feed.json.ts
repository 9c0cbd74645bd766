/** The quotes of the day, one for each language, for feed readers. */
import { jsonFeedOf, siteFeed } from "../site/index.ts";

export const GET = () => jsonFeedOf(siteFeed());
