/** The quotes of one author, for feed readers. */
import { feedRoute, rssOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("author", rssOf);
