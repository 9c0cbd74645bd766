/** Lets the renderer's threads render each card once for all its pages (`MemoModule` of `src/render/memo.ts`). */
import { openSite, type PageReader } from "../../site/index.ts";
import Card from "./Card.astro";
import { keepCards } from "./kept-cards.ts";

export { Card as component, keepCards as use };

export const entries: PageReader["cardEntries"] = (...part) => openSite().cardEntries(...part);
