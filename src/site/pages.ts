/** Every page of the site, and the quotes on each. */
import { hash } from "node:crypto";
import { FIXED_PATHS, type PlannedPage } from "../plan/index.ts";
import type { DayReads } from "./days.ts";
import { TODAY, type embedReads } from "./embeds.ts";
import type { FactReads } from "./facts.ts";
import type { homeReads } from "./home.ts";
import type { IndexReads } from "./indexes.ts";
import type { newReads } from "./new-quotes.ts";
import type { Sources } from "./sources.ts";

type FixedKind = keyof typeof FIXED_PATHS;
type Reads = ReturnType<typeof embedReads> &
  IndexReads &
  DayReads &
  FactReads &
  ReturnType<typeof homeReads> &
  ReturnType<typeof newReads>;

export function pageReads({ plan }: Sources, reads: Reads) {
  const shown: Readonly<Record<FixedKind, () => unknown>> = {
    home: reads.home,
    today: () => reads.today(),
    calendar: reads.days,
    new: reads.newQuotes,
    languages: reads.languages,
    tags: reads.tags,
    authors: reads.authors,
    about: reads.about,
    build: reads.lastBuild,
    search: () => [reads.languages(), reads.tags().length, reads.curatedIds() !== null],
    favourites: () => null,
    random: () => null,
    offline: () => null,
    api: () => null,
    notFound: () => null,
  };
  return {
    /** Always in the same order: the pages that are one each, the days, those to embed, the listings, the index of authors, the quotes. */
    *pages(): Generator<PlannedPage, void, undefined> {
      for (const [kind, path] of Object.entries(FIXED_PATHS) as [FixedKind, string][]) {
        const cacheKey = hash("sha256", JSON.stringify(shown[kind]())).slice(0, 32);
        yield { kind, path, term: "", number: 1, cacheKey };
      }
      yield* reads.dayPages();
      yield* reads.embedPages();
      yield* plan.pages();
    },

    /** The page of this address that follows from the collection. */
    page: (path: string): PlannedPage | undefined => plan.page(path),

    /** Ids of the quotes on a page, in order; null where the plan does not say (indexes, today, `/about/`, 404). */
    quotesOn({ kind, term, number }: PlannedPage): readonly number[] | null {
      // The quote of the day is that of the day of the build, which a later reader does not know.
      if (kind === "embed") return term === TODAY ? null : [Number(term)];
      if (kind === "day") return reads.dayPage(term).cards.map(({ quote }) => quote.id);
      if (kind === "quote") return [Number(term)];
      if (kind !== "tag" && kind !== "author" && kind !== "language") return null;
      return plan.quotesOn(kind, term, number);
    },
  };
}
