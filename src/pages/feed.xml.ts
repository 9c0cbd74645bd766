/** The feed of the quotes of the day, one for each language. */
import { rssOf, siteFeed } from "../site/index.ts";

export const GET = () => rssOf(siteFeed());
