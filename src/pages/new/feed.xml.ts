/** The quotes that were added last, for feed readers. */
import { newFeed, rssOf } from "../../site/index.ts";

export const GET = () => rssOf(newFeed());
