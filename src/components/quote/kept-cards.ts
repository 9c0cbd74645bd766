/** Cards that the renderer made before: a card is the same on each of its pages. */
import type { CardData } from "../../site/index.ts";

type FindCard = (quoteId: number) => Uint8Array | undefined;

let find: FindCard = () => undefined;

/** Called by the renderer in each of its threads; elsewhere every card is rendered in its page. */
export function keepCards(findCard: FindCard): void {
  find = findCard;
}

/** The card's markup in UTF-8, which Astro writes as it is; undefined where it is to be rendered. */
export function keptCard({ id }: CardData): Uint8Array | undefined {
  return find(id);
}
