/** The feed of the quotes of the day, one for each language. */
import { jsonFeedOf, siteFeed } from "../site/index.ts";

export const GET = () => jsonFeedOf(siteFeed());
