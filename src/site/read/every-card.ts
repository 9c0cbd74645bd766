/** All cards by id: the snapshot is read front to back, which a page that wants thirty of them here and there cannot. */
import type { CardMaker } from "./cards.ts";
import type { CardData } from "../types.ts";
import { DIGEST_BYTES } from "../../catalogue/digests.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import type { Part } from "../../contract/part.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";

interface Parts {
  readonly snapshot: PublishedSnapshot;
  readonly catalogue: Catalogue;
  readonly cards: CardMaker;
}

export function* everyCard(
  { snapshot, catalogue, cards }: Parts,
  part: Part,
): Generator<CardData, void, undefined> {
  for (const { ids, digests, permalinks } of catalogue.cardRuns(part)) {
    let place = 0;
    for (const quote of snapshot.between(ids[0] ?? 0, ids.at(-1) ?? 0)) {
      // The catalogue leaves out what the operator hides.
      if (quote.id !== ids[place]) continue;
      const from = place * DIGEST_BYTES;
      const digest = digests.toString("latin1", from, from + DIGEST_BYTES);
      yield cards.card(quote, digest, permalinks[place++] ?? 0);
    }
  }
}
