import { dayFeed, rssOf } from "../../site/index.ts";

export const GET = () => rssOf(dayFeed());
