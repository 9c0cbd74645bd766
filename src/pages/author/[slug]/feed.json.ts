/** The feed of an author. */
import { feedRoute, jsonFeedOf } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("author", jsonFeedOf);
