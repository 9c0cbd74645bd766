import { atomOf, dayFeed } from "../../site/index.ts";

export const GET = () => atomOf(dayFeed());
