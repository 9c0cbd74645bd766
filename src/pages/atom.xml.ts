/** The feed of the quotes of the day, one for each language. */
import { atomOf, siteFeed } from "../site/index.ts";

export const GET = () => atomOf(siteFeed());
