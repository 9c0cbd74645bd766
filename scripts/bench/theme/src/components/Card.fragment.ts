/** What tells one card from another. */
import type { CardData } from "../../../../../src/site/types.ts";

export const fragmentKey = ({ card }: { readonly card: CardData }): string => card.digest;
