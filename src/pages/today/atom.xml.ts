/** The feed of the last days, a quote for each. */
import { atomOf, dayFeed } from "../../site/index.ts";

export const GET = () => atomOf(dayFeed());
