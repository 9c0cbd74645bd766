/**
 * Groups names into terms: tags, authors and languages. A term has all spellings that fold to one key, and is shown under
 * the commonest.
 *
 * The result does not depend on the order of the names. Names are upstream text: only the slug may be used in an address.
 */
import { isKnownLanguage, isLanguageCode, UNDETERMINED } from "../contract/languages.ts";
import type { Tag } from "../contract/quote.ts";
import { fold } from "../util/fold.ts";
import type { ListingKind } from "./paths.ts";
import { isFit, isReserved, onDisk, slugFor, UNKNOWN_SLUG, withHash } from "./slug.ts";

/** A name as quotes have it. */
export interface Spelling {
  /** Null for a quote without author. */
  readonly name: string | null;
  /** Number of quotes with this spelling. */
  readonly quotes: number;
}

export interface Term {
  readonly kind: ListingKind;
  /** Lower case, at most 80 bytes, unique within its kind. */
  readonly slug: string;
  /** The commonest spelling; null for the author of unattributed quotes. */
  readonly name: string | null;
  /** The folded name, unique within its kind. */
  readonly key: string;
  /** Commonest first. */
  readonly spellings: readonly Spelling[];
}

/**
 * @param names each name once
 * @param tagList the service's tags, whose slugs are used if they are suitable and unique
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

/** Number of quotes with any of these spellings. The few quotes with two spellings count twice. */
export function quotesUnder(spellings: readonly Spelling[]): number {
  return spellings.reduce((sum, { quotes }) => sum + quotes, 0);
}

/** ISO 639-1 has 183. Each page of a language names all languages, so invented codes could fill the site. */
const MOST_LANGUAGES = 200;

/** Keeps the languages of the contract, then the largest; the others become unknown. */
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

/** A name without letters folds to nothing and is a term of its own; no other key begins with "?". */
export function keyOf(kind: ListingKind, name: string | null): string {
  if (name === null) return "";
  if (kind === "language") return name.toLowerCase();
  return fold(name) || `?${name.normalize("NFKC")}`;
}

function ownSlug(kind: ListingKind, key: string, name: string | null): string {
  if (name === null) return UNKNOWN_SLUG;
  if (kind !== "language") return slugFor(kind, key.startsWith("?") ? "" : key, key);
  // The address has the service's code; an invalid code is treated like a name.
  const code = name.toLowerCase();
  const fit = isLanguageCode(name) && !isReserved(kind, code);
  return fit ? code : slugFor(kind, fold(name), key);
}

/** A slug that two tags could have goes to neither: the order of the tags must not matter. */
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

/** Resolves the last conflicts: two hashes may be equal, and a name may equal a slug with a hash. */
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

function commonestFirst(a: Spelling, b: Spelling): number {
  return b.quotes - a.quotes || byCodeUnit(a.name ?? "", b.name ?? "");
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
