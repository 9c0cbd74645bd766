/** The feed of a tag. */
import { feedRoute, rssOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("tag", rssOf);
