/** The home page. */
import type { CardRow } from "../plan/index.ts";
import type { CardData, CardReads } from "./cards.ts";
import type { DayReads } from "./days.ts";
import type { FactReads, Summary } from "./facts.ts";
import type { LanguageCount, ListingReads, TermCount } from "./listings.ts";
import type { Sources } from "./sources.ts";

/** Sizes of the lists on the home page. */
const HOME = { quotes: 6, ofLanguage: 2, tags: 16, authors: 16 };

export interface Home {
  readonly summary: Summary;
  /** Null if the collection is empty. */
  readonly today: { readonly date: string; readonly card: CardData } | null;
  /** Six quotes of different authors, at most two of each language. */
  readonly top: readonly CardData[];
  readonly languages: readonly LanguageCount[];
  /** The sixteen largest. */
  readonly tags: readonly TermCount[];
  readonly authors: readonly TermCount[];
}

type Reads = CardReads & ListingReads & FactReads & DayReads;

export function homeReads({ plan, language }: Sources, reads: Reads) {
  const { card, languages, largest, summary, today } = reads;
  return {
    /** The most liked quotes, ties by pk; at most 10,000. */
    top: (count: number): CardData[] => plan.top(count).flatMap(({ id }) => card(id) ?? []),

    /** The 10,000 most liked quotes, with the cache keys of their cards. */
    mostLiked: (): readonly CardRow[] => plan.top(),

    /** @param code of the page's language: for another than the site's, its own quotes */
    home: (code = language): Home => {
      const { date, cards } = today(undefined, 1, code);
      const [card] = cards;
      return {
        summary: summary(),
        today: card === undefined ? null : { date, card },
        top: code === language ? varied(card) : ofLanguage(code, card),
        languages: languages(),
        tags: largest("tag", HOME.tags),
        authors: largest("author", HOME.authors),
      };
    },
  };

  /** The most liked quotes: at most one of each author, not the author of the card above, and two of each language. */
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

  /** The most liked quotes of a language but the one above: one of each author first, since it may have few authors. */
  function ofLanguage(code: string, above: CardData | undefined): CardData[] {
    const ids = [1, 2].flatMap((page) => plan.quotesOn("language", code, page)?.ids ?? []);
    const cards = ids.flatMap((id) => (id === above?.id ? [] : (card(id) ?? [])));
    const authors = new Set(above === undefined ? [] : [above.author.slug]);
    const isFirst = ({ author }: CardData): boolean =>
      !authors.has(author.slug) && Boolean(authors.add(author.slug));
    const first = cards.filter(isFirst);
    const others = cards.filter((each) => !first.includes(each));
    return [...first, ...others].slice(0, HOME.quotes);
  }
}
