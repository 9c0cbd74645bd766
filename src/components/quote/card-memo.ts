/** A card is rendered once, to stand on every page of its quote: what the renderer's threads need for that. */
import { openSite, type SiteReader } from "../../site/index.ts";
import Card from "./Card.astro";
import { keepCards } from "./kept-cards.ts";

export { Card as component, keepCards as use };

/** The cacheKey of each card of a part, with its props where no card is kept for it. */
export const entries: SiteReader["cardEntries"] = (...part) => openSite().cardEntries(...part);
