/** Cards that the renderer memoised. */
import type { CardData } from "../../site/index.ts";

type FindCard = (quoteId: number) => Uint8Array | undefined;

let find: FindCard = () => undefined;

/** Called in each thread of the renderer; elsewhere no cards are memoised. */
export function keepCards(findCard: FindCard): void {
  find = findCard;
}

/** The card's markup in UTF-8, which Astro writes unchanged; undefined if it is not memoised. */
export function keptCard({ id }: CardData): Uint8Array | undefined {
  return find(id);
}
