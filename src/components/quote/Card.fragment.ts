/** A card is rendered once and kept, to stand on every page of its quote: this names all that it shows. */
import type { Part } from "../../contract/part.ts";
import { type CardData, openSite } from "../../site/index.ts";

export const fragmentKey = ({ card }: { readonly card: CardData }): string => card.cacheKey;

/** All cards, or a part of them: a build of the whole site makes them before its pages. */
export function* everyFragment(part: Part) {
  for (const [, card] of openSite().everyCard(part, () => false)) yield { card };
}
