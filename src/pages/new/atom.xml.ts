/** The feed of new quotes. */
import { atomOf, newFeed } from "../../site/index.ts";

export const GET = () => atomOf(newFeed());
