/** Cards that were rendered before, as markup in UTF-8, by their digest. */
type FindCard = (digest: string) => Uint8Array | undefined;

let find: FindCard = () => undefined;

/** Told by the renderer in each of its threads; elsewhere every card is rendered where it stands. */
export function keepCards(findCard: FindCard): void {
  find = findCard;
}

export function keptCard(digest: string): Uint8Array | undefined {
  return find(digest);
}
