import { feedRoute, jsonFeedOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("language", jsonFeedOf);
