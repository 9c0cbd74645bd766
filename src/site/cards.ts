/** Cards: a quote with the links that it shows. */
import { languageOf, type Language } from "../contract/languages.ts";
import type { QuoteSource } from "../contract/quote.ts";
import { fold } from "../util/fold.ts";
import type { Part } from "../util/work.ts";
import type { Picture } from "../contract/picture.ts";
import {
  LINK_FIELDS,
  linkedQuote,
  listingPath,
  quotePath,
  shownLikes,
  shownQuote,
  type CardField,
  type CardRow,
  type LinkField,
  type ListingKind,
  type ListingLabel,
  type ShownQuote,
} from "../plan/index.ts";
import type { Sources } from "./sources.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

/** A link to a listing: `/tag/<slug>/`, `/author/<slug>/`, `/language/<slug>/`. */
export interface TermLink {
  /** The commonest spelling; the code of a language. */
  readonly name: string;
  readonly slug: string;
}

/** Every field that a card can have; those of its key (src/plan/card.ts) are in `CardData`. */
interface CardParts {
  readonly quote: ShownQuote;
  /** Path of the quote's own page, or else of its place in its author's listing. */
  readonly permalink: string;
  /** Rounded by `shownLikes()`, so that a vote seldom changes a page. */
  readonly likes: number;
  /** For an unattributed quote the name is null, and the slug `unknown`. */
  readonly author: ListingLabel;
  readonly tags: readonly TermLink[];
  /** Tags with too few quotes for a listing, shown without a link. */
  readonly plainTags: readonly string[];
  /** Where it stands in print; null when unknown. */
  readonly source: QuoteSource | null;
  /** Whether the site corrects what the service has. */
  readonly corrected: boolean;
  readonly picture: Picture | null;
}

/** The data of a card: what its cache key digests, and no more. */
export interface CardData extends Pick<CardParts, CardField> {
  /** Id of the quote. */
  readonly id: number;
  /** Of the code in `quote`. */
  readonly language: Language;
  /** Digest of everything that a card shows. */
  readonly cacheKey: string;
}

/** A link to a quote, on the page of another: what the key of that page digests, and no more. */
export type QuoteLink = Pick<CardData, "id" | "language" | LinkField>;

/** What a quote's own page links to. */
export interface MoreQuotes {
  /** Slug of its language's listing. */
  readonly languageSlug: string;
  /** Path of the page of the quote that is shown in its place; null where it is no copy. */
  readonly original: string | null;
  /** By its author, or also unattributed; of a copy, the original first. */
  readonly ofAuthor: readonly QuoteLink[];
  /** By other authors, in its language, with a tag of it. */
  readonly ofTags: readonly QuoteLink[];
  /** Without author or tag in common, in its language where that has enough. */
  readonly others: readonly QuoteLink[];
  /** Path of its place in its author's listing. */
  readonly place: string;
  /** Paths of the neighbours; null at the ends. */
  readonly previous: string | null;
  readonly next: string | null;
  /** Whether the neighbours are the author's; otherwise they are the language's. */
  readonly isNextOfAuthor: boolean;
}

/** Names in the cache of each kind: some 10 MB. */
const MOST_CACHED = 50_000;

export type CardReads = ReturnType<typeof cardReads>;

export function cardReads({ snapshot, plan, pictures, correct }: Sources) {
  const labels = { author: new Map(), tag: new Map(), language: new Map() } as Readonly<
    Record<ListingKind, Map<string | null, ListingLabel | undefined>>
  >;

  const card = (id: number): CardData | undefined => {
    const row = plan.card(id);
    return row === undefined ? undefined : read(row);
  };

  /** Reads a lazy card into its object, which then answers. Own getters took twenty times as long for each card. */
  const whole = (lazy: CardData): CardData => {
    if (Object.hasOwn(lazy, "cacheKey")) return lazy;
    const known = card(lazy.id);
    if (known === undefined)
      throw new RangeError(`Cannot read quote ${lazy.id}: the plan has none`);
    return Object.assign(lazy, known);
  };
  const readFirst: ProxyHandler<CardData> = {
    get: (lazy, name): unknown => (name === "id" ? lazy.id : Reflect.get(whole(lazy), name)),
    has: (lazy, name) => Reflect.has(whole(lazy), name),
    ownKeys: (lazy) => Reflect.ownKeys(whole(lazy)),
    getOwnPropertyDescriptor: (lazy, name) => Reflect.getOwnPropertyDescriptor(whole(lazy), name),
  };

  return {
    /** Undefined if the site does not show the quote. */
    card,

    /**
     * A card that is read at the first use of anything but its `id`: a memoised card needs no more. It behaves as the
     * object that `card()` gives: a copy, a test with `in` and JSON have every field.
     */
    lazyCard: (id: number): CardData => new Proxy({ id } as CardData, readFirst),

    /** The ids of all copies, each with that of the quote that is shown in its place. */
    copyPairs: () => plan.copyPairs(),

    /** The quote that the site shows in the place of a copy; the quote itself where it is none. */
    originalOf: (id: number): number => plan.card(id)?.original ?? id,

    /** Text and author of a quote as the service has them; null where the site does not correct the quote. */
    servedWords: (id: number) => {
      const served = snapshot.quote(id);
      if (served === undefined || correct(served) === served) return null;
      return { text: served.text, author: served.author, language: languageOf(served.language) };
    },

    moreFor: ({ quote: { id, language }, author, ...own }: CardData): MoreQuotes => {
      const cards = plan.moreCards(id).map(read);
      const { page, previous, next } = plan.placeOf(id) ?? { page: 1, previous: null, next: null };
      const original = plan.card(id)?.original ?? null;
      // A copy has the links of its original.
      const { tags } = (original === null ? undefined : card(original)) ?? own;
      const isOfAuthor = (other: CardData): boolean => other.author.slug === author.slug;
      const slugs = new Set(tags.map(({ slug }) => slug));
      const kindOf = (other: CardData) => {
        if (isOfAuthor(other)) return "author";
        return other.tags.some(({ slug }) => slugs.has(slug)) ? "tag" : "language";
      };
      const links = Map.groupBy(cards, kindOf);
      const linksOf = (kind: ListingKind): QuoteLink[] => (links.get(kind) ?? []).map(linkTo);
      const neighbour = card(previous ?? next ?? id);
      return {
        languageSlug: labelOf("language", language)?.slug ?? language,
        original: original === null ? null : quotePath(original),
        ofAuthor: linksOf("author"),
        ofTags: linksOf("tag"),
        others: linksOf("language"),
        place: `${listingPath("author", author.slug, page)}#q${original ?? id}`,
        previous: previous === null ? null : quotePath(previous),
        next: next === null ? null : quotePath(next),
        isNextOfAuthor: neighbour === undefined || isOfAuthor(neighbour),
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

  function read({ id, cacheKey, authorPage, original }: CardRow): CardData {
    const served = snapshot.quote(id);
    if (served === undefined) {
      throw new RangeError(`Cannot read quote ${id}: the snapshot of the plan has none`);
    }
    const quote = correct(served);
    const author = labelOf("author", quote.author);
    if (author === undefined) {
      throw new RangeError(`Cannot read author ${quote.author}: the plan has none`);
    }
    const tags = new Map<string, TermLink>();
    const plainTags = new Map<string, string>();
    for (const name of quote.tags) {
      const tag = labelOf("tag", name);
      // Two spellings of one tag are one word, too: the first of them.
      if (tag === undefined) getOrCompute(plainTags, fold(name) || name, () => name);
      // Two spellings of one tag are one link.
      else tags.set(tag.slug, { name: tag.name ?? name, slug: tag.slug });
    }
    return {
      id,
      cacheKey,
      quote: shownQuote(quote),
      permalink:
        authorPage === null
          ? quotePath(id)
          : ((original === null ? undefined : card(original)?.permalink) ??
            `${listingPath("author", author.slug, authorPage)}#q${id}`),
      likes: shownLikes(quote.likes),
      language: languageOf(quote.language),
      author,
      tags: [...tags.values()],
      plainTags: [...plainTags.values()],
      source: quote.source,
      corrected: quote !== served,
      picture: quote.image === null ? null : (pictures?.picture(quote.image) ?? null),
    };
  }

  function labelOf(kind: ListingKind, name: string | null): ListingLabel | undefined {
    const known = labels[kind];
    if (known.size >= MOST_CACHED) known.clear();
    return getOrCompute(known, name, () => plan.named(kind, name));
  }
}

function linkTo(card: CardData): QuoteLink {
  const fields = ["id", "language", ...LINK_FIELDS] as const;
  const link = Object.fromEntries(fields.map((field) => [field, card[field]])) as QuoteLink;
  return { ...link, quote: linkedQuote(link.quote) };
}
