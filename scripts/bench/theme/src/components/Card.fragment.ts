/** What tells one card from another, and all of them. */
import type { Part } from "../../../../../src/contract/part.ts";
import type { CardData } from "../../../../../src/site/index.ts";
import { openSite } from "../site/open.ts";

export const fragmentKey = ({ card }: { readonly card: CardData }): string => card.cacheKey;

export function* everyFragment(part: Part) {
  for (const [, card] of openSite().everyCard(part, () => false)) yield { card };
}
