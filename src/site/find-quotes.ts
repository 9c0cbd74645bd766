/** The quotes of a tag, an author and a language, for the component `Quotes`. */
import { ConfigurationError } from "../contract/errors.ts";
import type { ListingKind } from "../plan/index.ts";
import type { CardData, CardReads } from "./cards.ts";
import type { Sources } from "./sources.ts";

/** Names as quotes carry them, or slugs of listings; a language by its code. What is left out does not matter. */
export interface QuoteFilter {
  readonly tag?: string | undefined;
  readonly author?: string | undefined;
  readonly language?: string | undefined;
  /** Most quotes, from 1 to 100; default 5. */
  readonly limit?: number | string | undefined;
}

export interface FoundQuotes {
  /** Most liked first, ties by `pk`. */
  readonly cards: readonly CardData[];
  /** What of the filter the site does not have, such as `tag "hope"`; with any, there are no cards. */
  readonly unknown: readonly string[];
}

const KINDS = ["tag", "author", "language"] as const;
const DEFAULT_LIMIT = 5;
const MOST = 100;

export function findReads({ plan }: Sources, { card }: CardReads) {
  return { findQuotes };

  function findQuotes(filter: QuoteFilter): FoundQuotes {
    const limit = limitOf(filter.limit);
    const asked = KINDS.flatMap((kind) => {
      const name = filter[kind];
      return name === undefined ? [] : [{ kind, name, listing: listingOf(kind, name) }];
    });
    const unknown = asked
      .filter(({ listing }) => listing === undefined)
      .map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`);
    if (unknown.length > 0) return { cards: [], unknown };
    const listings = asked
      .flatMap(({ kind, listing }) => (listing === undefined ? [] : [{ kind, ...listing }]))
      .sort((a, b) => a.members - b.members);
    const [smallest, ...others] = listings;
    const ids = smallest === undefined ? topIds() : idsOf(smallest.kind, smallest.slug);
    const cards = ids
      .map(card)
      .filter((found) => found !== undefined)
      .filter((found) => others.every(({ kind, slug }) => isIn(found, kind, slug)))
      .take(limit)
      .toArray();
    return { cards, unknown };
  }

  function listingOf(kind: ListingKind, name: string) {
    const slug = plan.named(kind, name)?.slug ?? name;
    return plan.listing(kind, slug) ?? plan.listing(kind, slug.toLowerCase());
  }

  function* topIds(): Generator<number, void> {
    for (const { id } of plan.top()) yield id;
  }

  function* idsOf(kind: ListingKind, slug: string): Generator<number, void> {
    for (let page = 1; ; page++) {
      const shown = plan.quotesOn(kind, slug, page);
      if (shown === undefined) return;
      yield* shown.ids;
    }
  }

  function isIn({ tags, author, quote }: CardData, kind: ListingKind, slug: string): boolean {
    if (kind === "author") return author.slug === slug;
    if (kind === "tag") return tags.some((tag) => tag.slug === slug);
    return (plan.named("language", quote.language)?.slug ?? quote.language) === slug;
  }
}

/** @throws {ConfigurationError} for a limit that is no number, or too large for a page */
function limitOf(limit: number | string = DEFAULT_LIMIT): number {
  const number = Number(limit);
  if (Number.isInteger(number) && number >= 1 && number <= MOST) return number;
  throw new ConfigurationError(
    `Cannot use limit of <Quotes>: expected a whole number from 1 to ${MOST}, got ${JSON.stringify(limit)}`,
  );
}
