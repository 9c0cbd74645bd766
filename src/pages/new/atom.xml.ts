/** The quotes that were added last, for feed readers. */
import { atomOf, newFeed } from "../../site/index.ts";

export const GET = () => atomOf(newFeed());
