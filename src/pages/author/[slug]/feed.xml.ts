/** The feed of an author. */
import { feedRoute, rssOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("author", rssOf);
