import { atomOf, siteFeed } from "../site/index.ts";

export const GET = () => atomOf(siteFeed());
