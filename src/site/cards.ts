/** Cards: a quote with the links that it shows. */
import { languageOf, type Language } from "../contract/languages.ts";
import type { Part } from "../contract/work.ts";
import type { Picture } from "../contract/picture.ts";
import type { Quote } from "../contract/quote.ts";
import {
  listingPath,
  quotePath,
  shownLikes,
  type CardRow,
  type ListingKind,
  type ListingLabel,
} from "../plan/index.ts";
import type { Sources } from "./sources.ts";

/** A link to a listing: `/tag/<slug>/`, `/author/<slug>/`, `/language/<slug>/`. */
export interface TermLink {
  /** The commonest spelling; a language's own code. */
  readonly name: string;
  readonly slug: string;
}

export interface CardData {
  /** Of the quote. */
  readonly id: number;
  /** Over all that a card shows: equal keys, equal cards. */
  readonly cacheKey: string;
  readonly quote: Quote;
  /** Path of the quote's own link: its own page, or its place in its author's listing where it has none. */
  readonly permalink: string;
  /** As a reader sees them (`shownLikes`). A page is made again only when this changes: do not show `quote.likes`. */
  readonly likes: number;
  readonly language: Language;
  /** The name is null where the quote is unattributed, and the slug then `unknown`. */
  readonly author: ListingLabel;
  readonly tags: readonly TermLink[];
  /** Tags with too few quotes for a listing: shown, and no link. */
  readonly plainTags: readonly string[];
  readonly picture: Picture | null;
}

/** What a quote's own page offers to go on with: its listings, at most three others, and its neighbours. */
export type MoreQuotes = ReturnType<CardReads["moreFor"]>;

/** Names remembered of each kind, since the same ones come again and again: at most some ten megabytes. */
const REMEMBERED = 50_000;

export type CardReads = ReturnType<typeof cardReads>;

export function cardReads({ snapshot, plan, pictures }: Sources) {
  const labels = { author: new Map(), tag: new Map(), language: new Map() } as Readonly<
    Record<ListingKind, Map<string | null, ListingLabel | undefined>>
  >;

  const card = (id: number): CardData | undefined => {
    const row = plan.card(id);
    return row === undefined ? undefined : read(row);
  };

  return {
    /** Undefined for a quote that the site does not show. */
    card,

    /**
     * A card that is read when a page asks for more than its `id`: most cards are memoised.
     *
     * @param id of a quote that the site shows
     */
    lazyCard: (id: number): CardData => {
      let shown: CardData | undefined;
      return new Proxy({ id } as CardData, {
        get: (known, name): unknown => {
          if (name in known) return Reflect.get(known, name);
          shown ??= card(id);
          if (shown !== undefined) return Reflect.get(shown, name);
          throw new RangeError(`Cannot read quote ${id}: the plan has none`);
        },
      });
    },

    moreFor: ({ quote: { id, language }, author }: CardData) => {
      const cards = plan.moreCards(id).map(read);
      const { page, previous, next } = plan.placeOf(id) ?? { page: 1, previous: null, next: null };
      const isOfAuthor = (card: CardData): boolean => card.author.slug === author.slug;
      return {
        /** Slug of its language's listing. */
        languageSlug: labelOf("language", language)?.slug ?? language,
        /** Of its author; of those without one where it is unattributed. */
        ofAuthor: cards.filter(isOfAuthor),
        /** Of other authors, in its language, that share its tags. */
        ofTags: cards.filter((card) => !isOfAuthor(card)),
        /** Path of the quote's place among its author's. */
        place: `${listingPath("author", author.slug, page)}#q${id}`,
        /** Paths of the quotes before and after it; null at the ends. */
        previous: previous === null ? null : quotePath(previous),
        next: next === null ? null : quotePath(next),
      };
    },

    /**
     * A part of all cards by id, each with its cache key and the props of its component.
     *
     * @param isKept whether the card of an id and a cache key is known: its props are null then, and its quote is not read
     */
    *cardEntries(
      part: Part,
      isKept: (id: number, cacheKey: string) => boolean,
    ): Generator<readonly [id: number, cacheKey: string, props: { card: CardData } | null]> {
      for (const row of plan.cardsOf(part)) {
        const { id, cacheKey } = row;
        yield [id, cacheKey, isKept(id, cacheKey) ? null : { card: read(row) }];
      }
    },
  };

  function read({ id, cacheKey, authorPage }: CardRow): CardData {
    const quote = snapshot.quote(id);
    if (quote === undefined) {
      throw new RangeError(`Cannot read quote ${id}: the snapshot of the plan has none`);
    }
    const author = labelOf("author", quote.author);
    if (author === undefined) {
      throw new RangeError(`Cannot read author ${quote.author}: the plan has none`);
    }
    const tags = new Map<string, TermLink>();
    const plainTags: string[] = [];
    for (const name of quote.tags) {
      const tag = labelOf("tag", name);
      if (tag === undefined) plainTags.push(name);
      // Two spellings of one tag on one quote are one link.
      else tags.set(tag.slug, { name: tag.name ?? name, slug: tag.slug });
    }
    return {
      id,
      cacheKey,
      quote,
      permalink:
        authorPage === null
          ? quotePath(id)
          : `${listingPath("author", author.slug, authorPage)}#q${id}`,
      likes: shownLikes(quote.likes),
      language: languageOf(quote.language),
      author,
      tags: [...tags.values()],
      plainTags,
      picture: quote.image === null ? null : (pictures?.picture(quote.image) ?? null),
    };
  }

  function labelOf(kind: ListingKind, name: string | null): ListingLabel | undefined {
    const known = labels[kind];
    if (known.size >= REMEMBERED) known.clear();
    return known.getOrInsertComputed(name, () => plan.named(kind, name));
  }
}
