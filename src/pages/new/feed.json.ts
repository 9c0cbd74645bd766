import { jsonFeedOf, newFeed } from "../../site/index.ts";

export const GET = () => jsonFeedOf(newFeed());
