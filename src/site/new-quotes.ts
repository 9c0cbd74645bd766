/** The quotes that the last harvests added, for their page and its feed. */
import type { CardData, CardReads } from "./cards.ts";
import type { Sources } from "./sources.ts";

/** Limits: days, quotes of a day, quotes of all days. */
const SHOWN = { days: 30, ofDay: 20, quotes: 60 };

/** The quotes that were added on a day. */
export interface NewDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** Most liked first, at most twenty. */
  readonly cards: readonly CardData[];
  /** Whether the day has more. */
  readonly hasMore: boolean;
}

export function newReads({ snapshot }: Sources, { card, originalOf }: CardReads) {
  let known: ReturnType<typeof read> | undefined;
  return {
    /** Newest day first, its most liked quotes first; empty if nothing was added since the first harvest. */
    newQuotes: () => (known ??= read()),
  };

  function read(): NewDay[] {
    let room = SHOWN.quotes;
    return snapshot.newDays(SHOWN.days).flatMap(({ date, ids }) => {
      const most = Math.min(SHOWN.ofDay, room);
      const shown = Iterator.from(ids())
        .filter((id) => originalOf(id) === id)
        .map(card)
        .filter((one) => one !== undefined);
      // One more shows whether the day has more.
      const read = shown.take(most + 1).toArray();
      const cards = read.slice(0, most);
      room -= cards.length;
      return cards.length === 0 ? [] : [{ date, cards, hasMore: read.length > most }];
    });
  }
}
