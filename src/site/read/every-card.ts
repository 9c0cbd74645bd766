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

/** For fewer of a run's quotes than one in so many, each is read alone. */
const WORTH_A_RUN = 8;

/**
 * Cards of a part, by their digests.
 *
 * @param isKept whether a digest's card is known already: it is null then, and its quote is not read
 */
export function* everyCard(
  { snapshot, catalogue, cards }: Parts,
  part: Part,
  isKept: (digest: string) => boolean,
): Generator<readonly [digest: string, card: CardData | null], void, undefined> {
  for (const { ids, digests, permalinks } of catalogue.cardRuns(part)) {
    const places = new Map<number, number>();
    for (const [place, id] of ids.entries()) {
      const digest = digestAt(digests, place);
      if (isKept(digest)) yield [digest, null];
      else places.set(id, place);
    }
    if (places.size === 0) continue;
    const wanted = [...places.keys()];
    const quotes =
      places.size * WORTH_A_RUN < ids.length
        ? wanted.map((id) => snapshot.quote(id))
        : snapshot.between(wanted[0] ?? 0, wanted.at(-1) ?? 0);
    for (const quote of quotes) {
      const place = quote === undefined ? undefined : places.get(quote.id);
      // The catalogue leaves out what the operator hides.
      if (quote === undefined || place === undefined) continue;
      const digest = digestAt(digests, place);
      yield [digest, cards.card(quote, digest, permalinks[place] ?? 0)];
    }
  }
}

function digestAt(digests: Buffer, place: number): string {
  return digests.toString("latin1", place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
}
