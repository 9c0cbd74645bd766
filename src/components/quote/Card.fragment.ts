/** A card is rendered once and kept, to stand on every page of its quote: this names all that it shows. */
import type { CardData } from "../../site/types.ts";

export const fragmentKey = ({ card }: { readonly card: CardData }): string => card.digest;
