/** The quotes of one author, for feed readers. */
import { atomOf, feedRoute } from "../../../site/index.ts";

export const { getStaticPaths, GET } = feedRoute("author", atomOf);
