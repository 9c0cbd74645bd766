/** Renders each card once, as the site does. */
import type { PageReader } from "../../../../../src/site/index.ts";
import Card from "../components/Card.astro";
import { openSite } from "./open.ts";

export { Card as component };
export { keepCards as use } from "../../../../../src/components/quote/kept-cards.ts";

export const entries: PageReader["cardEntries"] = (...part) => openSite().cardEntries(...part);
