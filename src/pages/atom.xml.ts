/** The quotes of the day, one for each language, for feed readers. */
import { atomOf, siteFeed } from "../site/index.ts";

export const GET = () => atomOf(siteFeed());
