import { atomOf, newFeed } from "../../site/index.ts";

export const GET = () => atomOf(newFeed());
