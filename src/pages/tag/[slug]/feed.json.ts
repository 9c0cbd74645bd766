/** The feed of a tag. */
import { feedRoute, jsonFeedOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("tag", jsonFeedOf);
