import { feedRoute, rssOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("tag", rssOf);
