import { feedRoute, rssOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("author", rssOf);
