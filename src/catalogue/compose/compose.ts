/** Turns numbers back into terms: what each kind's terms are called, whom they hold, and in which order they stand. */
import type { BuildOptions, Initial } from "../options.ts";
import { digest, Digests } from "../digests.ts";
import type { Gathered } from "../gather/columns.ts";
import type { Membership } from "./membership.ts";
import { PageParts } from "./page-parts.ts";
import { permalinkPages } from "./permalinks.ts";
import { relatedTerms } from "./related.ts";
import type { KindRows, RelatedRow, TermRow } from "./write.ts";
import type { ListingKind } from "../../contract/term.ts";

export interface Composed {
  /** In the order in which they are to be written: an initial's members are authors, by the ids they then have. */
  readonly kinds: readonly KindRows[];
  /** Of all that each quote's card shows, in the order of the columns. */
  readonly cards: Digests;
  /** Where its own link leads, in the same order. */
  readonly permalinks: Uint32Array;
}

const NOTHING_RELATED = { tags: [], authors: [] };

export function compose(
  gathered: Gathered,
  membership: Membership,
  options: BuildOptions,
): Composed {
  const { terms, start, members } = membership;
  const labels = labelDigests(terms);
  const permalinks = permalinkPages(gathered, membership, options);
  const cards = cardDigests(gathered, membership, labels, permalinks);
  const languages = gathered.names.language.list;
  const size = (term: number): number => (start[term + 1] ?? 0) - (start[term] ?? 0);
  const termAt = (term: number) => terms[term] ?? missing(term);

  const ofKind = (kind: ListingKind): number[] =>
    terms
      .map((_, term) => term)
      .filter((term) => terms[term]?.kind === kind)
      // Largest first; terms come in the order of their keys, and sorting keeps equals as they are.
      .sort((a, b) => size(b) - size(a));
  const tags = ofKind("tag");
  const authors = ofKind("author");
  // The ids that the writer will give them, from 1.
  const idOf = new Uint32Array(terms.length);
  for (const [place, term] of [...tags, ...authors].entries()) idOf[term] = place + 1;
  const related = relatedTerms(membership);
  const relatedTo = (term: number): RelatedRow | null => {
    const own = related[term] ?? NOTHING_RELATED;
    const all = [...own.tags, ...own.authors];
    if (all.length === 0) return null;
    const ids = (some: readonly number[]): number[] => some.map((other) => idOf[other] ?? 0);
    // Equal labels, equal links.
    const shown = all
      .map((other) => `${termAt(other).slug}\0${termAt(other).name ?? ""}`)
      .join("\0");
    return { tags: ids(own.tags), authors: ids(own.authors), shown };
  };
  const listing = (term: number): TermRow => {
    const { slug, name, spellings } = termAt(term);
    const first = start[term] ?? 0;
    return {
      slug,
      name,
      spellings: spellings.map((spelling) => spelling.name ?? ""),
      members: size(term),
      related: relatedTo(term),
      add(place, page) {
        const quote = members[first + place] ?? 0;
        page.member(gathered.ids[quote] ?? 0, cards, quote, permalinks[quote]);
        page.language(languages[gathered.language[quote] ?? 0] ?? "");
      },
    };
  };
  const listings = (kind: ListingKind, some: readonly number[]): KindRows => ({
    kind,
    perPage: options.perPage,
    cards: true,
    shown: "",
    terms: some.map(listing),
  });

  const groups = groupByInitial(authors);
  return {
    cards,
    permalinks,
    kinds: [
      listings("tag", tags),
      listings("author", authors),
      listings("language", ofKind("language")),
      {
        kind: "initial",
        perPage: options.authorsPerPage,
        cards: false,
        shown: JSON.stringify(groups.map(({ initial }) => initial)),
        terms: groups.map(initialRow),
      },
    ],
  };

  /** Authors by their rank among authors. */
  function groupByInitial(ranked: readonly number[]): { initial: Initial; ranks: number[] }[] {
    const bySlug = new Map<string, { initial: Initial; ranks: number[] }>();
    for (const [rank, term] of ranked.entries()) {
      const { name, key } = termAt(term);
      if (name === null) continue;
      const initial = options.initialOf(key);
      const group = bySlug.get(initial.slug) ?? { initial, ranks: [] };
      bySlug.set(initial.slug, group);
      group.ranks.push(rank);
    }
    return [...bySlug.values()].sort((a, b) => options.compareInitials(a.initial, b.initial));
  }

  function initialRow({ initial, ranks }: { initial: Initial; ranks: number[] }): TermRow {
    // Terms are numbered in the order of their keys, so this is the order of the folded names.
    ranks.sort((a, b) => (authors[a] ?? 0) - (authors[b] ?? 0));
    return {
      slug: initial.slug,
      name: initial.label,
      spellings: [],
      members: ranks.length,
      related: null,
      add(place, page) {
        const rank = ranks[place] ?? 0;
        const author = authors[rank] ?? 0;
        page.member(idOf[author] ?? 0, labels, author);
        page.text(String(size(author)));
      },
    };
  }
}

/** Of what terms are called and where they live. */
function labelDigests(terms: Membership["terms"]): Digests {
  const labels = new Digests(terms.length);
  for (const [index, { name, slug }] of terms.entries()) {
    // A quote without author and one by an author of no name are two things.
    labels.set(index, digest(`${slug}\0${name ?? "\0"}`));
  }
  return labels;
}

/** Of each quote's words, the names of its terms and where its own link leads, hashed once however many pages it stands on. */
function cardDigests(
  { quotes, words }: Gathered,
  { named, namedStart }: Membership,
  labels: Digests,
  permalinks: Uint32Array,
): Digests {
  const cards = new Digests(quotes);
  const card = new PageParts(0);
  for (let place = 0; place < quotes; place++) {
    card.start();
    card.part(words, place);
    const end = namedStart[place + 1] ?? 0;
    for (let i = namedStart[place] ?? 0; i < end; i++) card.part(labels, named[i] ?? 0);
    const authorPage = permalinks[place] ?? 0;
    if (authorPage > 0) card.text(String(authorPage));
    cards.set(place, card.digest);
  }
  return cards;
}

function missing(term: number): never {
  throw new RangeError(`Cannot find term ${term}: never planned`);
}
