/** The home page, and the quotes of the day. */
import type { CardData, CardReads } from "./cards.ts";
import { placeOfDay } from "./day.ts";
import type { FactReads, Summary } from "./facts.ts";
import type { IndexReads, LanguageCount, TermCount } from "./indexes.ts";
import type { listingReads } from "./listings.ts";
import type { Sources } from "./sources.ts";

export interface HomePage {
  readonly summary: Summary;
  /** The most liked of the collection. */
  readonly top: readonly CardData[];
  /** All of them, largest first. */
  readonly languages: readonly LanguageCount[];
  /** The largest, largest first. */
  readonly tags: readonly TermCount[];
  readonly authors: readonly TermCount[];
}

/** The quote of the day, one for each language. */
export interface TodayPage {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** The site's own language first, then by size. */
  readonly cards: readonly CardData[];
}

/** How much of each the home page shows. */
const HOME = { quotes: 12, tags: 48, authors: 48 };

type Reads = CardReads & IndexReads & FactReads & ReturnType<typeof listingReads>;

export function homeReads({ plan, language, date: day }: Sources, reads: Reads) {
  const { card, languages, largest, quoteIn, summary } = reads;
  return {
    top,

    home: (): HomePage => {
      return {
        summary: summary(),
        top: top(HOME.quotes),
        languages: languages(),
        tags: largest("tag", HOME.tags),
        authors: largest("author", HOME.authors),
      };
    },

    /**
     * The quote of the day for each language: the same all day, another the next.
     *
     * @param date `YYYY-MM-DD`; by default the day of the build, in UTC
     */
    today: (date = day): TodayPage => {
      const own = (slug: string): number => Number(slug === language);
      const ids = languages()
        .sort((a, b) => own(b.slug) - own(a.slug))
        .flatMap(({ slug, quotes }) => quoteIn("language", slug, placeOfDay(date, quotes)) ?? []);
      return { date, cards: ids.flatMap((id) => card(id) ?? []) };
    },

    /** The day of the build, `YYYY-MM-DD`, UTC. */
    day: () => day,
  };

  /** The most liked of the collection, ties by pk; at most 500. */
  function top(count: number): CardData[] {
    return plan.top.slice(0, count).flatMap((id) => card(id) ?? []);
  }
}
