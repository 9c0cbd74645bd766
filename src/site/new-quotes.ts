/** What the last harvests added: the page of new quotes and its feed. */
import type { CardData, CardReads } from "./cards.ts";
import type { Sources } from "./sources.ts";

/** Quotes that were first seen on one day. */
export interface NewQuotes {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** Most liked first. */
  readonly cards: readonly CardData[];
  /** Whether the day brought more than these. */
  readonly hasMore: boolean;
}

/** Days looked at, and how many quotes are shown of each and of all. */
const SHOWN = { days: 30, ofDay: 20, quotes: 60 };

export function newReads({ snapshot }: Sources, { card }: CardReads) {
  let known: NewQuotes[] | undefined;
  return {
    /** Newest day first; empty where nothing came since the collection was first read. */
    newQuotes: (): readonly NewQuotes[] => (known ??= read()),
  };

  function read(): NewQuotes[] {
    const days: NewQuotes[] = [];
    let room = SHOWN.quotes;
    for (const { date, ids } of snapshot.newDays(SHOWN.days)) {
      if (room === 0) break;
      const most = Math.min(SHOWN.ofDay, room);
      const cards: CardData[] = [];
      let hasMore = false;
      for (const id of ids()) {
        const shown = card(id);
        if (shown === undefined) continue;
        hasMore = cards.length === most;
        if (hasMore) break;
        cards.push(shown);
      }
      room -= cards.length;
      if (cards.length > 0) days.push({ date, cards, hasMore });
    }
    return days;
  }
}
