/** The feed of new quotes. */
import { newFeed, rssOf } from "../../site/index.ts";

export const GET = () => rssOf(newFeed());
