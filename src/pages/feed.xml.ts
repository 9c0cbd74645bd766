/** The quotes of the day, one for each language, for feed readers. */
import { rssOf, siteFeed } from "../site/index.ts";

export const GET = () => rssOf(siteFeed());
