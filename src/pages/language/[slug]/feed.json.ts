/** The quotes of one language, for feed readers. */
import { feedRoute, jsonFeedOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("language", jsonFeedOf);
