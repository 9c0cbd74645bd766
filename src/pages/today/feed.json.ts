import { dayFeed, jsonFeedOf } from "../../site/index.ts";

export const GET = () => jsonFeedOf(dayFeed());
