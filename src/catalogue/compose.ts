/** Turns numbers back into terms: what each kind's terms are called, whom they hold, and in which order they stand. */
import type { BuildOptions, Initial } from "./build.ts";
import { DIGEST_BYTES, type Gathered } from "./gather.ts";
import type { Membership } from "./membership.ts";
import { labelDigests, type PageDigest } from "./page-digest.ts";
import { permalinkPages } from "./permalinks.ts";
import type { TermKind } from "./schema.ts";
import type { PageRow, TermRow } from "./write.ts";
import type { ListingKind } from "../contract/term.ts";

type Rows = Readonly<Record<TermKind, TermRow[]>> & {
  /** Of all that each quote's card shows, in the order of the columns. */
  readonly cards: Buffer;
  /** Where its own link leads, in the same order. */
  readonly permalinks: Uint32Array;
};

export function compose(gathered: Gathered, membership: Membership, options: BuildOptions): Rows {
  const { terms, start, members, namedBy } = membership;
  const labels = labelDigests(terms);
  const size = (term: number): number => (start[term + 1] ?? 0) - (start[term] ?? 0);
  const permalinks = permalinkPages(gathered, membership, options);
  const cards = cardDigests(gathered, namedBy, labels, permalinks);
  const languages = Array.from(gathered.names.language.spellings(), ({ name }) => name ?? "");

  const ofKind = (kind: ListingKind): number[] =>
    terms
      .map((_, term) => term)
      .filter((term) => terms[term]?.kind === kind)
      // Largest first; terms come in the order of their keys, and sorting keeps equals as they are.
      .sort((a, b) => size(b) - size(a));
  const row = (term: number): TermRow => {
    const { kind, slug, name, spellings } = terms[term] ?? missing(term);
    const places = members.subarray(start[term] ?? 0, start[term + 1] ?? 0);
    return {
      kind,
      slug,
      name,
      spellings: spellings.map((spelling) => spelling.name ?? ""),
      members: places.length,
      page: (from, to, digest) => quotesOf(places.subarray(from, to), digest),
      shown: "",
      perPage: options.perPage,
    };
  };
  const quotesOf = (places: Uint32Array, digest: PageDigest): PageRow => {
    const ids = new Float64Array(places.length);
    const shown = Buffer.allocUnsafe(places.length * DIGEST_BYTES);
    const spoken = new Set<string>();
    for (const [index, place] of places.entries()) {
      ids[index] = gathered.ids[place] ?? 0;
      cards.copy(shown, index * DIGEST_BYTES, place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
      spoken.add(languages[gathered.language[place] ?? 0] ?? "");
    }
    digest.parts(shown);
    return { ids, cards: shown, languages: [...spoken].join(" ") };
  };

  const tags = ofKind("tag");
  const authors = ofKind("author");
  return {
    cards,
    permalinks,
    tag: tags.map(row),
    author: authors.map(row),
    language: ofKind("language").map(row),
    initial: initials(),
  };

  function initials(): TermRow[] {
    const groups = new Map<string, { initial: Initial; members: number[] }>();
    for (const [rank, term] of authors.entries()) {
      const { name, key } = terms[term] ?? missing(term);
      if (name === null) continue;
      const initial = options.initialOf(key);
      const group = groups.get(initial.slug) ?? { initial, members: [] };
      groups.set(initial.slug, group);
      group.members.push(rank);
    }
    const sorted = [...groups.values()].sort((a, b) =>
      options.compareInitials(a.initial, b.initial),
    );
    const letters = JSON.stringify(sorted.map(({ initial }) => initial));
    return sorted.map(({ initial, members: ranks }) => {
      // Terms are numbered in the order of their keys, so this is the order of the folded names.
      ranks.sort((a, b) => (authors[a] ?? 0) - (authors[b] ?? 0));
      const author = (index: number): number => authors[ranks[index] ?? 0] ?? 0;
      return {
        kind: "initial",
        slug: initial.slug,
        name: initial.label,
        spellings: [],
        members: ranks.length,
        page: (from, to, digest) => {
          for (let index = from; index < to; index++) {
            digest.part(labels, author(index)).text(String(size(author(index))));
          }
          const ids = Float64Array.from(ranks.slice(from, to), (rank) => tags.length + 1 + rank);
          return { ids, cards: Buffer.alloc(0), languages: "" };
        },
        shown: letters,
        perPage: options.authorsPerPage,
      };
    });
  }
}

/**
 * Of each quote's words, of what its terms are called and of where its own link leads, joined by exclusive or: the digest of the words already covers
 * the names as they came, so nobody can choose names whose digests cancel out.
 */
function cardDigests(
  { quotes, digests }: Gathered,
  namedBy: Membership["namedBy"],
  labels: Buffer,
  permalinks: Uint32Array,
): Buffer {
  const cards = Buffer.from(digests);
  const words = wordsOf(cards);
  const labelWords = wordsOf(labels);
  for (let place = 0; place < quotes; place++) {
    const first = place * DIGEST_WORDS;
    words[first] = (words[first] ?? 0) ^ (permalinks[place] ?? 0);
    for (const term of namedBy(place)) {
      for (let word = 0; word < DIGEST_WORDS; word++) {
        const at = place * DIGEST_WORDS + word;
        words[at] = (words[at] ?? 0) ^ (labelWords[term * DIGEST_WORDS + word] ?? 0);
      }
    }
  }
  return cards;
}

const DIGEST_WORDS = DIGEST_BYTES / 4;

function wordsOf(digests: Buffer): Int32Array {
  return new Int32Array(digests.buffer, digests.byteOffset, digests.byteLength / 4);
}

function missing(term: number): never {
  throw new RangeError(`Cannot find term ${term}: never planned`);
}
