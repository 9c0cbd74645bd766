/** What tells one card from another, and all of them. */
import type { CardData } from "../../../../../src/site/types.ts";
import { openSite } from "../site/open.ts";

export const fragmentKey = ({ card }: { readonly card: CardData }): string => card.digest;

export function* everyFragment(part: { readonly index: number; readonly count: number }) {
  for (const card of openSite().everyCard(part)) yield { card };
}
