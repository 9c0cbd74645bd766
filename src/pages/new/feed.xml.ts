import { newFeed, rssOf } from "../../site/index.ts";

export const GET = () => rssOf(newFeed());
