/** Cards: a quote with the links that it shows. */
import { languageOf, type Language } from "../contract/languages.ts";
import type { Part } from "../util/work.ts";
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
  /** The commonest spelling; the code of a language. */
  readonly name: string;
  readonly slug: string;
}

export interface CardData {
  /** Id of the quote. */
  readonly id: number;
  /** Digest of everything that a card shows. */
  readonly cacheKey: string;
  readonly quote: Quote;
  /** Path of the quote's own page, or else of its place in its author's listing. */
  readonly permalink: string;
  /** Rounded by `shownLikes()`. Do not show `quote.likes`: pages are not rendered again when it changes. */
  readonly likes: number;
  readonly language: Language;
  /** For an unattributed quote the name is null, and the slug `unknown`. */
  readonly author: ListingLabel;
  readonly tags: readonly TermLink[];
  /** Tags with too few quotes for a listing, shown without a link. */
  readonly plainTags: readonly string[];
  readonly picture: Picture | null;
}

/** What a quote's own page links to. */
export type MoreQuotes = ReturnType<CardReads["moreFor"]>;

/** Names in the cache of each kind: some 10 MB. */
const MOST_CACHED = 50_000;

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
    /** Undefined if the site does not show the quote. */
    card,

    /** A card that is read at the first use of a field other than `id`: a memoised card needs no other. */
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
        /** By its author, or also unattributed. */
        ofAuthor: cards.filter(isOfAuthor),
        /** By other authors, in its language, with a tag of it. */
        ofTags: cards.filter((card) => !isOfAuthor(card)),
        /** Path of its place in its author's listing. */
        place: `${listingPath("author", author.slug, page)}#q${id}`,
        /** Paths of the neighbours; null at the ends. */
        previous: previous === null ? null : quotePath(previous),
        next: next === null ? null : quotePath(next),
      };
    },

    /**
     * Yields a part of all cards: id, cache key, and props of the component.
     *
     * @param isKept whether the memo has a card: its props are then null, and its quote is not read
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
      // Two spellings of one tag are one link.
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
    if (known.size >= MOST_CACHED) known.clear();
    return known.getOrInsertComputed(name, () => plan.named(kind, name));
  }
}
