/** What the last harvests added: the page of new quotes and its feed. */
import type { CardReads } from "./cards.ts";
import type { Sources } from "./sources.ts";

/** Days looked at, and how many quotes are shown of each and of all. */
const SHOWN = { days: 30, ofDay: 20, quotes: 60 };

export function newReads({ snapshot }: Sources, { card }: CardReads) {
  let known: ReturnType<typeof read> | undefined;
  return {
    /** Newest day first, of each the most liked first; empty where nothing came since the collection was first read. */
    newQuotes: () => (known ??= read()),
  };

  function read() {
    let room = SHOWN.quotes;
    return snapshot.newDays(SHOWN.days).flatMap(({ date, ids }) => {
      const most = Math.min(SHOWN.ofDay, room);
      const shown = Iterator.from(ids())
        .map(card)
        .filter((one) => one !== undefined);
      // One more is read: whether the day brought more than these.
      const read = shown.take(most + 1).toArray();
      const cards = read.slice(0, most);
      room -= cards.length;
      return cards.length === 0 ? [] : [{ date, cards, hasMore: read.length > most }];
    });
  }
}
