/** The quotes of one tag, for feed readers. */
import { feedRoute, jsonFeedOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("tag", jsonFeedOf);
