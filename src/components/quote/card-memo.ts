/** A card is rendered once, to stand on every page of its quote: what the renderer's threads need for that. */
import type { Part } from "../../contract/part.ts";
import { openSite } from "../../site/index.ts";
import Card from "./Card.astro";
import { keepCards } from "./kept-cards.ts";

export { Card as component, keepCards as use };

/** The cacheKey of each card of a part, with its props where no card is kept for it. */
export function* entries(
  part: Part,
  isKept: (cacheKey: string) => boolean,
): Generator<readonly [key: string, props: object | null]> {
  for (const [cacheKey, card] of openSite().everyCard(part, isKept)) {
    yield [cacheKey, card === null ? null : { card }];
  }
}
