import { atomOf, feedRoute } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("author", atomOf);
