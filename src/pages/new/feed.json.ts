/** The quotes that were added last, for feed readers. */
import { jsonFeedOf, newFeed } from "../../site/index.ts";

export const GET = () => jsonFeedOf(newFeed());
