/**
 * Which quotes stand in which listing, in order: numbers in two arrays, not a list for each term.
 *
 * Every listing has the same order, most liked first and ties by id, so quotes are sorted once and dealt out.
 */
import type { Gathered } from "../gather/columns.ts";
import type { ListingKind, Term } from "../../contract/term.ts";

export interface Membership {
  /** All terms, tags before authors before languages; a kind's in the order of their keys. */
  readonly terms: readonly Term[];
  /** Members of term t: `members[start[t]]` up to `members[start[t + 1]]`, places in the columns of `Gathered`. */
  readonly start: Uint32Array;
  readonly members: Uint32Array;
  /** The places of all quotes, most liked first. */
  readonly order: Uint32Array;
  /** The terms that the card of quote i names, its author first, then its tags, none twice: as with members, by `namedStart`. */
  readonly named: Uint32Array;
  readonly namedStart: Uint32Array;
}

/** @param planned the terms of each kind, made of the names that were gathered */
export function membership(
  gathered: Gathered,
  planned: Readonly<Record<ListingKind, readonly Term[]>>,
): Membership {
  const terms = [...planned.tag, ...planned.author, ...planned.language];
  const termOf = {
    tag: termNumbers(gathered, "tag", planned.tag, 0),
    author: termNumbers(gathered, "author", planned.author, planned.tag.length),
    language: termNumbers(
      gathered,
      "language",
      planned.language,
      planned.tag.length + planned.author.length,
    ),
  };
  const { quotes, language } = gathered;
  const { named, namedStart } = namesOf(gathered, termOf);
  const languageOf = (place: number): number => at(termOf.language, at(language, place));

  const start = new Uint32Array(terms.length + 1);
  for (const term of named) add(start, term + 1, 1);
  for (let place = 0; place < quotes; place++) add(start, languageOf(place) + 1, 1);
  for (let term = 0; term < terms.length; term++) add(start, term + 1, at(start, term));

  const order = mostLikedFirst(gathered);
  const next = start.slice();
  const members = new Uint32Array(at(start, terms.length));
  const deal = (term: number, place: number): void => {
    members[at(next, term)] = place;
    add(next, term, 1);
  };
  for (const place of order) {
    const end = at(namedStart, place + 1);
    for (let i = at(namedStart, place); i < end; i++) deal(at(named, i), place);
    deal(languageOf(place), place);
  }
  return { terms, start, members, order, named, namedStart };
}

function namesOf(
  { quotes, author, tags, tagStart }: Gathered,
  termOf: { readonly author: Uint32Array; readonly tag: Uint32Array },
): Pick<Membership, "named" | "namedStart"> {
  const named = new Uint32Array(quotes + tags.length);
  const namedStart = new Uint32Array(quotes + 1);
  let end = 0;
  for (let place = 0; place < quotes; place++) {
    const first = end;
    named[end++] = at(termOf.author, at(author, place));
    for (let i = at(tagStart, place); i < at(tagStart, place + 1); i++) {
      const term = at(termOf.tag, at(tags, i));
      // Two spellings of one tag on one quote are one membership; tags are few, so looking is cheap.
      let met = first;
      while (met < end && named[met] !== term) met++;
      if (met === end) named[end++] = term;
    }
    namedStart[place + 1] = end;
  }
  return { named: named.subarray(0, end), namedStart };
}

/** Places are in the order of the ids already, and sorting keeps equals as they are. */
function mostLikedFirst({ quotes, likes }: Gathered): Uint32Array {
  const order = Uint32Array.from({ length: quotes }, (_, place) => place);
  return order.sort((a, b) => at(likes, b) - at(likes, a));
}

function termNumbers(
  { names }: Gathered,
  kind: ListingKind,
  terms: readonly Term[],
  first: number,
): Uint32Array {
  const numbers = new Uint32Array(names[kind].size);
  for (const [index, term] of terms.entries()) {
    for (const { name } of term.spellings) numbers[names[kind].numberOf(name)] = first + index;
  }
  return numbers;
}

/** Every index in this file is one that was written before: an array of numbers has no holes. */
function at(numbers: Uint32Array | Float64Array, index: number): number {
  return numbers[index] ?? 0;
}

function add(numbers: Uint32Array, index: number, amount: number): void {
  numbers[index] = at(numbers, index) + amount;
}
