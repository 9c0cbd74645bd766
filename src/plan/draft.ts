/**
 * Sorts a collection into listings, each with its quotes, most liked first, ties by pk.
 *
 * A quote takes some 300 bytes of memory: its text is digested and dropped.
 */
import type { AuthorsFile } from "../contract/author-facts.ts";
import type { CorrectionReport, Corrections } from "../contract/corrections.ts";
import type { Script } from "../contract/languages.ts";
import type { Quote } from "../contract/quote.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import { cardKey, digest, linkedQuote, quoteKey, shownQuote } from "./card.ts";
import { copyKeys, foldCopies } from "./copies.ts";
import { corrector } from "./correct.ts";
import { fold } from "../util/fold.ts";
import type { ListingKind } from "./paths.ts";
import { planTerms, quotesUnder, type Spelling, type Term } from "./terms.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

export interface PlanSettings {
  /** Quotes on a page of a listing. */
  readonly perPage: number;
  /** How many quotes have a page of their own: the most liked. */
  readonly quotePages: number;
  /** Quotes that a tag must have, counted under each of its spellings, to get a listing. */
  readonly minTagQuotes: number;
  /** Quotes on no page of the site. Any spelling of an author or a tag hides all of them. */
  readonly hidden: {
    readonly pks: readonly number[];
    readonly authors: readonly string[];
    readonly tags: readonly string[];
  };
  readonly corrections: Corrections;
  /** Whether quotes of one author and language whose texts fold alike are one card, or each has its own. */
  readonly copies: "fold" | "show";
  /** What the site says of authors. */
  readonly authors: AuthorsFile;
  /** Script of the site's language: its letters come first in the index of authors. */
  readonly script: Script;
  /** Whether the first page of a listing leads to related ones; false for pages that show none. */
  readonly related: boolean;
}

export interface QuoteDraft {
  readonly id: number;
  readonly likes: number;
  /** Digest of everything that its card shows. */
  cardKey: string;
  /** Digest of what pages may show of the quote itself. */
  readonly quoteKey: string;
  /** Digest of what a link to it shows of the quote itself. */
  readonly linkedKey: string;
  /** Digest of the quote as the service has it, where the site corrects it; else null. */
  readonly servedKey: string | null;
  /** Its author first, then its tags. */
  readonly names: readonly NameDraft[];
  readonly languageName: NameDraft;
  /** Work and year of its source, as one text. */
  readonly source: string | null;
  readonly picture: string | null;
  /** The listing of its author, then those of its tags, each once. */
  readonly named: ListingDraft[];
  /** The language's code, in its commonest spelling. */
  language: string;
  /** What its copies have in common with it; null where copies are shown. */
  readonly copyKey: string | null;
  /** The quote that is shown in its place; null for a quote that is no copy. */
  original: QuoteDraft | null;
  /** Number of its page in its author's listing; for a copy, that of the original. */
  listedPage: number;
  /** The same number where its permalink leads there; null where the quote has a page of its own. */
  authorPage: number | null;
}

export interface ListingDraft extends Term {
  /** From 1: tags, authors, languages, each in the order of their keys. */
  readonly id: number;
  /** Everything that a link to it shows. */
  readonly label: string;
  /** Most liked first. */
  readonly members: QuoteDraft[];
}

/** A spelling of a name; it has a listing once all names are counted. */
interface NameDraft extends Spelling {
  quotes: number;
  listing?: ListingDraft;
}

/**
 * @param pictureOf identifies the picture to show for an address; null for none
 * @returns what came of the corrections, the listings by id, and all quotes with their copies twice: `quotes` by pk, `ranked`
 *   most liked first
 */
export function draftPlan(
  snapshot: PublishedSnapshot,
  { perPage, quotePages, minTagQuotes, hidden, corrections, copies }: PlanSettings,
  pictureOf: (image: string) => string | null,
) {
  const names = { tag: new Map(), author: new Map(), language: new Map() } as Names;
  const { correct, report } = corrector(corrections);
  const shown = withoutHidden(snapshot.all(), hidden, correct);
  const keyOf = copies === "fold" ? copyKeys() : () => null;
  const quotes = Array.from(shown, ([quote, served]) =>
    draftQuote(quote, served, {
      names,
      pictureOf,
      copyKey: keyOf(quote),
      isLinked: quotePages > 0,
    }),
  );
  const remarks: string[] = [];
  if (copies === "fold") {
    const folded = foldCopies(quotes, corrections.copies);
    for (const quote of quotes) quote.original = folded.originalOf(quote);
    remarks.push(...folded.remarks);
  } else {
    for (const id of corrections.copies.keys())
      remarks.push(`copies of quote ${id}: the setting \`copies\` shows all`);
  }
  for (const { original, names: own, languageName } of quotes) {
    if (original === null) for (const name of [...own, languageName]) name.quotes++;
  }
  const listings = [
    ...planTerms("tag", names.tag.values(), snapshot.tagList()).filter(
      ({ spellings }) => quotesUnder(spellings) >= minTagQuotes,
    ),
    ...planTerms("author", names.author.values()),
    ...planTerms("language", names.language.values()),
  ].map((term, index): ListingDraft => {
    // A slug distinguishes a quote without author from an author without name.
    const label = `${term.slug}\u0001${term.name ?? ""}`;
    return { ...term, id: index + 1, label, members: [] };
  });
  for (const listing of listings) {
    for (const spelling of listing.spellings as NameDraft[]) spelling.listing = listing;
  }
  for (const quote of quotes) nameListings(quote);
  // Sorting is stable, so equals stay in the order of their pks.
  const ranked = quotes.toSorted((a, b) => b.likes - a.likes);
  for (const quote of ranked) {
    if (quote.original !== null) continue;
    for (const { members, kind } of quote.named) {
      members.push(quote);
      if (kind === "author") quote.listedPage = Math.ceil(members.length / perPage);
    }
    quote.languageName.listing?.members.push(quote);
  }
  for (const quote of quotes) {
    if (quote.original !== null) quote.listedPage = quote.original.listedPage;
  }
  for (const quote of ranked.slice(quotePages)) quote.authorPage = quote.listedPage;
  for (const quote of quotes) quote.cardKey = cardKey(quote);
  const corrected = report();
  return {
    ...{ listings, quotes, ranked },
    corrected: {
      ...{ ...corrected, hidden: snapshot.count() - quotes.length },
      remarks: [...corrected.remarks, ...remarks],
    } satisfies CorrectionReport,
  };
}

type Names = Readonly<Record<ListingKind, Map<string | null, NameDraft>>>;

/** Yields each quote as it is shown, and as the service has it. The names of both may hide it. */
function* withoutHidden(
  all: Iterable<Quote>,
  hidden: PlanSettings["hidden"],
  correct: (quote: Quote) => Quote,
): Generator<readonly [quote: Quote, served: Quote]> {
  const ids = new Set(hidden.pks);
  const authors = new Set(hidden.authors.map(fold));
  const tags = new Set(hidden.tags.map(fold));
  const isHidden = ({ author, tags: own }: Quote): boolean =>
    (authors.size > 0 && author !== null && authors.has(fold(author))) ||
    (tags.size > 0 && own.some((name) => tags.has(fold(name))));
  for (const served of all) {
    const quote = correct(served);
    if (ids.has(quote.id) || isHidden(served) || (quote !== served && isHidden(quote))) continue;
    yield [quote, served];
  }
}

interface DraftHow {
  readonly names: Names;
  readonly pictureOf: (image: string) => string | null;
  readonly copyKey: string | null;
  /** Whether pages may link to the quote: only pages of quotes do. */
  readonly isLinked: boolean;
}

function draftQuote(
  quote: Quote,
  served: Quote,
  { names, pictureOf, copyKey, isLinked }: DraftHow,
): QuoteDraft {
  const { id, author, likes, tags, image, language, source } = quote;
  const named = (kind: ListingKind, name: string | null): NameDraft =>
    getOrCompute(names[kind], name, () => ({ name, quotes: 0 }));
  return {
    id,
    likes,
    cardKey: "",
    quoteKey: quoteKey(quote),
    linkedKey: isLinked ? quoteKey(linkedQuote(shownQuote(quote))) : "",
    servedKey: served === quote ? null : digest(JSON.stringify(served)),
    names: [named("author", author), ...tags.map((tag) => named("tag", tag))],
    languageName: named("language", language),
    source: source === null ? null : `${source.work}\u0001${source.year ?? ""}`,
    picture: image === null ? null : pictureOf(image),
    named: [],
    language,
    copyKey,
    original: null,
    listedPage: 1,
    authorPage: null,
  };
}

/** Finds the listings of a quote's names, which its card links to. */
function nameListings(quote: QuoteDraft): void {
  for (const { listing } of quote.names) {
    if (listing !== undefined && !quote.named.includes(listing)) quote.named.push(listing);
  }
  quote.language = quote.languageName.listing?.name ?? quote.language;
}
