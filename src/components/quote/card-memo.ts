/** Renders a card once for all pages of its quote: what the threads of the renderer need for that. */
import { openSite, type SiteReader } from "../../site/index.ts";
import Card from "./Card.astro";
import { keepCards } from "./kept-cards.ts";

export { Card as component, keepCards as use };

/** The id and cacheKey of each card of a part, with its props where no such card is kept. */
export const entries: SiteReader["cardEntries"] = (...part) => openSite().cardEntries(...part);
