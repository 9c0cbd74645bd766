/**
 * Gathers names into terms, each of which is what a listing is of: a tag, an author or a language, with all spellings that
 * fold to the same key, shown under the commonest.
 *
 * The result depends on the names and their counts alone, not on the order in which they come. Names are upstream text:
 * only the slug may be used in an address.
 */
import { isKnownLanguage, isLanguageCode, UNDETERMINED } from "../contract/languages.ts";
import type { Tag } from "../contract/quote.ts";
import { fold } from "./fold.ts";
import type { ListingKind } from "./paths.ts";
import { isFit, isReserved, onDisk, slugFor, UNKNOWN_SLUG, withHash } from "./slug.ts";

/** A name as quotes carry it; null is that of a quote without author. */
export interface Spelling {
  readonly name: string | null;
  /** Quotes that carry it. */
  readonly quotes: number;
}

export interface Term {
  readonly kind: ListingKind;
  /** Lower case, at most 80 bytes, unique within its kind. */
  readonly slug: string;
  /** The commonest spelling; null for the author of quotes without author. */
  readonly name: string | null;
  /** What all its spellings fold to; no two terms of a kind share it. */
  readonly key: string;
  readonly spellings: readonly Spelling[];
}

/**
 * @param kind what the names are of
 * @param names each name once, with the number of quotes that carry it; null for quotes without author
 * @param tagList the service's own tags; a slug of theirs is used where it is fit and no other tag has it
 * @returns terms in the order of their keys
 */
export function planTerms(
  kind: ListingKind,
  names: Iterable<Spelling>,
  tagList: readonly Tag[] = [],
): Term[] {
  const all = Map.groupBy(names, ({ name }) => keyOf(kind, name));
  const groups = kind === "language" ? fewLanguages(all) : all;
  const byKey = [...groups].sort(([a], [b]) => byCodeUnit(a, b));
  const drafts = byKey.map(([key, spellings]) => {
    spellings.sort(commonestFirst);
    const isUnknown = kind === "language" && key === UNDETERMINED;
    const name = isUnknown ? UNDETERMINED : (spellings[0]?.name ?? null);
    return { kind, key, name, spellings, slug: ownSlug(kind, key, name) };
  });
  return unique(kind === "tag" ? withServiceSlugs(drafts, tagList) : drafts);
}

/** How many quotes carry any of these spellings; one that carries two is counted under both: too many, and by little. */
export function quotesUnder(spellings: readonly Spelling[]): number {
  return spellings.reduce((sum, { quotes }) => sum + quotes, 0);
}

/** ISO 639-1 has 183. Each has pages, and each of these names all: with codes that are made up they would fill the site. */
const MOST_LANGUAGES = 200;

/** Those of the contract and then the largest; all others count as unknown. */
function fewLanguages(groups: ReadonlyMap<string, Spelling[]>): ReadonlyMap<string, Spelling[]> {
  if (groups.size <= MOST_LANGUAGES) return groups;
  const ranked = [...groups]
    .map(([key, spellings]) => {
      const isKnown = Number(isKnownLanguage(key));
      return { key, spellings, isKnown, quotes: quotesUnder(spellings) };
    })
    .sort((a, b) => b.isKnown - a.isKnown || b.quotes - a.quotes || byCodeUnit(a.key, b.key));
  const few = Map.groupBy(ranked, ({ key }, place) =>
    place < MOST_LANGUAGES - 1 ? key : UNDETERMINED,
  );
  return new Map([...few].map(([key, all]) => [key, all.flatMap(({ spellings }) => spellings)]));
}

/**
 * Names without a letter fold to nothing, so each is a term of its own; the sign before it is in no other key.
 * A language's code is a key already but for its case.
 */
function keyOf(kind: ListingKind, name: string | null): string {
  if (name === null) return "";
  if (kind === "language") return name.toLowerCase();
  return fold(name) || `?${name.normalize("NFKC")}`;
}

function ownSlug(kind: ListingKind, key: string, name: string | null): string {
  if (name === null) return UNKNOWN_SLUG;
  if (kind !== "language") return slugFor(kind, key.startsWith("?") ? "" : key, key);
  // The address has the service's own code; only a code that is none is treated like a name.
  const code = name.toLowerCase();
  const fit = isLanguageCode(name) && !isReserved(kind, code);
  return fit ? code : slugFor(kind, fold(name), key);
}

/** A slug that two tags claim, or that is another tag's own, goes to neither: who comes first must not matter. */
function withServiceSlugs(terms: readonly Term[], tagList: readonly Tag[]): Term[] {
  const slugOf = new Map(tagList.map((tag) => [tag.name, tag.slug]));
  const hinted = terms.map((term) => {
    const slugs = term.spellings.map(({ name }) => slugOf.get(name ?? "") ?? "");
    return { term, slug: slugs.find((slug) => isFit(term.kind, slug)) ?? term.slug };
  });
  const claims = Map.groupBy(
    hinted.flatMap(({ term, slug }) => [...new Set([term.slug, slug])]),
    onDisk,
  );
  return hinted.map(({ term, slug }) =>
    claims.get(onDisk(slug))?.length === 1 ? { ...term, slug } : term,
  );
}

/** A last look: a hash of eight digits may meet another, and a name may spell out what we make. */
function unique(terms: readonly Term[]): Term[] {
  const taken = new Set<string>();
  return terms.map((term) => {
    let { slug } = term;
    for (let round = 1; taken.has(onDisk(slug)); round++) {
      slug = withHash(slug, `${term.key}\n${round}`);
    }
    taken.add(onDisk(slug));
    return slug === term.slug ? term : { ...term, slug };
  });
}

/** Most quotes first; of equals, the one whose code units come first. */
function commonestFirst(a: Spelling, b: Spelling): number {
  return b.quotes - a.quotes || byCodeUnit(a.name ?? "", b.name ?? "");
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
