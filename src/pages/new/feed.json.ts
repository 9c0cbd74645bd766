/** The feed of new quotes. */
import { jsonFeedOf, newFeed } from "../../site/index.ts";

export const GET = () => jsonFeedOf(newFeed());
