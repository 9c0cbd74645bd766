/** The quote of each of the last days, for feed readers. */
import { atomOf, dayFeed } from "../../site/index.ts";

export const GET = () => atomOf(dayFeed());
