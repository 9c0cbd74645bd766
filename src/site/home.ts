/** The home page. */
import type { CardRow } from "../plan/index.ts";
import type { CardData, CardReads } from "./cards.ts";
import type { DayReads } from "./days.ts";
import type { FactReads } from "./facts.ts";
import type { ListingReads } from "./listings.ts";
import type { Sources } from "./sources.ts";

/** How much of each the home page shows. */
const HOME = { quotes: 6, ofLanguage: 2, tags: 16, authors: 16 };

type Reads = CardReads & ListingReads & FactReads & DayReads;

export function homeReads({ plan }: Sources, reads: Reads) {
  const { card, languages, largest, summary, today } = reads;
  return {
    /** The most liked of the collection, ties by pk; at most 10,000. */
    top: (count: number): CardData[] => plan.top(count).flatMap(({ id }) => card(id) ?? []),

    /** All of them, with what their cards change with. */
    mostLiked: (): readonly CardRow[] => plan.top(),

    home: () => {
      const { date, cards } = today();
      const [card] = cards;
      return {
        summary: summary(),
        /** Null where the collection is empty. */
        today: card === undefined ? null : { date, card },
        /** The most liked of the collection, without today's: at most one of an author, and two of a language. */
        top: varied(card),
        /** All of them, largest first. */
        languages: languages(),
        /** The largest, largest first. */
        tags: largest("tag", HOME.tags),
        authors: largest("author", HOME.authors),
      };
    },
  };

  /** The most liked that differ in author and language from each other, and from the card above them. */
  function varied(above: CardData | undefined): CardData[] {
    const authors = new Set(above === undefined ? [] : [above.author.slug]);
    const inLanguage = new Map<string, number>();
    const chosen: CardData[] = [];
    for (const { id } of plan.top()) {
      if (chosen.length === HOME.quotes) break;
      const next = card(id);
      if (next === undefined) continue;
      const { author, quote } = next;
      const before = inLanguage.get(quote.language) ?? 0;
      if (authors.has(author.slug) || before === HOME.ofLanguage) continue;
      authors.add(author.slug);
      inLanguage.set(quote.language, before + 1);
      chosen.push(next);
    }
    return chosen;
  }
}
