/** Turns numbers back into terms: what each kind's terms are called, whom they hold, and in which order they stand. */
import type { BuildOptions, Initial } from "./build.ts";
import type { Gathered } from "./gather.ts";
import type { Membership } from "./membership.ts";
import { labelDigests, type PageDigest } from "./page-digest.ts";
import type { TermKind } from "./schema.ts";
import type { TermRow } from "./write.ts";
import type { ListingKind } from "../contract/term.ts";

type Rows = Readonly<Record<TermKind, TermRow[]>> & {
  /** Adds all that a card shows. */
  readonly cardDigest: (place: number, digest: PageDigest) => void;
};

export function compose(gathered: Gathered, membership: Membership, options: BuildOptions): Rows {
  const { terms, start, members, namedBy } = membership;
  const labels = labelDigests(terms);
  const size = (term: number): number => (start[term + 1] ?? 0) - (start[term] ?? 0);
  const cardDigest = (place: number, digest: PageDigest): void => {
    digest.part(gathered.digests, place);
    for (const term of namedBy(place)) digest.part(labels, term);
  };

  const ofKind = (kind: ListingKind): number[] =>
    terms
      .map((_, term) => term)
      .filter((term) => terms[term]?.kind === kind)
      // Largest first; terms come in the order of their keys, and sorting keeps equals as they are.
      .sort((a, b) => size(b) - size(a));
  const row = (term: number): TermRow => {
    const { kind, slug, name, spellings } = terms[term] ?? missing(term);
    const place = (index: number): number => members[(start[term] ?? 0) + index] ?? 0;
    return {
      kind,
      slug,
      name,
      spellings: spellings.map((spelling) => spelling.name ?? ""),
      members: size(term),
      memberAt: (index) => gathered.ids[place(index)] ?? 0,
      digestOf: (index, digest) => cardDigest(place(index), digest),
      shown: "",
      perPage: options.perPage,
    };
  };

  const tags = ofKind("tag");
  const authors = ofKind("author");
  return {
    cardDigest,
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
        memberAt: (index) => tags.length + 1 + (ranks[index] ?? 0),
        digestOf: (index, digest) =>
          digest.part(labels, author(index)).text(String(size(author(index)))),
        shown: letters,
        perPage: options.authorsPerPage,
      };
    });
  }
}

function missing(term: number): never {
  throw new RangeError(`Cannot find term ${term}: never planned`);
}
