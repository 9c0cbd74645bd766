/** Writes the tables of the plan: listings, permalinks, and every page with its cache key. */
import { mainLanguage } from "../contract/languages.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import type { Database } from "../sqlite/database.ts";
import { digest, linkKey } from "./card.ts";
import { draftPlan, type ListingDraft, type PlanSettings } from "./draft.ts";
import { initialOf, initialsInOrder } from "./initials.ts";
import { indexKey } from "./surname.ts";
import { moreQuotes } from "./more.ts";
import { quotePath, termPath, type ListingKind, type PlannedPage, type TermKind } from "./paths.ts";
import { relatedListings } from "./related.ts";
import { TOP } from "./schema.ts";
import { factsByKey } from "./author-facts.ts";
import { keyOf } from "./terms.ts";

/** Authors on a page of their index: some 20 kB of HTML. */
export const AUTHORS_PER_PAGE = 240;

/** How many merged names the plan stores, and how many spellings of each. */
const NAMED = { names: 30, others: 8 };

/** @param pictureOf identifies the picture to show for an address; null for none */
export function fillPlan(
  db: Database,
  snapshot: PublishedSnapshot,
  settings: PlanSettings,
  pictureOf: (image: string) => string | null,
): void {
  const { listings, quotes, ranked, corrected } = draftPlan(snapshot, settings, pictureOf);
  const related = settings.related ? relatedListings(listings) : new Map<number, ListingDraft[]>();
  const largest = (kind: ListingKind): ListingDraft[] =>
    listings
      .filter((listing) => listing.kind === kind)
      .sort((a, b) => b.members.length - a.members.length);
  const tags = largest("tag");
  const authors = largest("author");
  const { perPage, script } = settings;
  const facts = factsByKey(settings.authors);
  for (const some of [tags, authors, largest("language")]) {
    for (const [place, listing] of some.entries()) {
      const own = listing.kind === "author" ? facts.get(listing.key) : undefined;
      const order = { place, perPage, facts: own === undefined ? null : JSON.stringify(own) };
      writeListing(db, listing, order, ({ cardKey }) => cardKey, related.get(listing.id));
    }
  }
  const named = listings.filter(({ kind, name }) => kind === "author" && name !== null);
  const initials = authorsByInitial(named).sort(initialsInOrder(script));
  const letters = initials.map(({ slug }) => slug).join("\0");
  for (const [place, { slug, label: name, members }] of initials.entries()) {
    const id = listings.length + place + 1;
    const initial = { id, kind: "initial", slug, name, label: letters, members } as const;
    const order = { place, perPage: AUTHORS_PER_PAGE, facts: null };
    writeListing(db, initial, order, ({ label, members }) => `${label}\0${members.length}`);
  }
  for (const { id, kind, spellings } of listings) {
    for (const { name } of spellings) {
      db.run("INSERT INTO names VALUES (?, ?, ?)", kind, name ?? "", id);
    }
  }
  const moreOf = moreQuotes(listings);
  for (const quote of quotes) {
    const { id, cardKey, authorPage, listedPage } = quote;
    const { original } = quote;
    const more = authorPage === null ? moreOf(original ?? quote) : null;
    const steps = [more?.previous?.id ?? null, more?.next?.id ?? null];
    const row = [id, cardKey, authorPage, listedPage, ...steps, original?.id ?? null];
    db.run("INSERT INTO permalinks VALUES (?, ?, ?, ?, ?, ?, ?)", ...row);
    if (more === null) continue;
    const ofAuthor = original === null ? more.ofAuthor : [original, ...more.ofAuthor];
    const { ofTags, others, group } = more;
    const languageSlug = quote.languageName.listing?.slug ?? "";
    const places = [languageSlug, listedPage, ...steps.map((step) => step ?? ""), group];
    const links = [ofAuthor, ofTags, others].flatMap((some) => [...some.map(linkKey), ""]);
    const shown = [cardKey, quote.servedKey ?? "", ...places, ...links];
    const page = { path: quotePath(id), kind: "quote", term: String(id), number: 1 } as const;
    writePage(db, page, shown, [quote, ...ofAuthor, ...ofTags, ...others]);
  }
  const unmet = [...facts.keys()].filter((key) => !authors.some((author) => author.key === key));
  const names = [...settings.authors.keys()].filter((name) =>
    unmet.includes(keyOf("author", name)),
  );
  const remarks = names
    .slice(0, NAMED.names)
    .map((name) => `facts of ${JSON.stringify(name)}: no quote has this author`);
  const shown = ranked.filter(({ original }) => original === null);
  const least = shown[TOP - 1];
  const values = {
    quotes: shown.length,
    copies: quotes.length - shown.length,
    merged: mergedNames([...tags, ...authors]),
    corrected: { ...corrected, remarks: [...corrected.remarks, ...remarks] },
    top: ranked.slice(0, least && ranked.indexOf(least) + 1).map(({ id }) => id),
  };
  for (const [key, value] of Object.entries(values)) {
    db.run("INSERT INTO facts VALUES (?, ?)", key, JSON.stringify(value));
  }
}

/** Authors by the initials of their surnames, and in their order. */
function authorsByInitial(authors: readonly ListingDraft[]) {
  const sorted = authors
    .map((author) => ({ author, key: indexKey(author.name ?? "", languageOf(author)) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return Array.from(Map.groupBy(sorted, ({ key }) => initialOf(key).slug).values(), (members) => ({
    ...initialOf(members[0]?.key ?? ""),
    members: members.map(({ author }) => author),
  }));
}

/** The language of most quotes of an author. */
function languageOf({ members }: ListingDraft): string {
  const counts = new Map<string, number>();
  for (const { language } of members) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ["", 0])[0];
}

type Listing<Member> = Pick<ListingDraft, "id" | "slug" | "name" | "label"> &
  Readonly<{ kind: TermKind; members: readonly Member[] }>;

/**
 * Writes a listing and its pages.
 *
 * @param order.place among the listings of its kind, from 0
 * @param order.facts what its first page says of an author; null for nothing
 * @param shownOf everything that a page shows of a member
 * @param related listings that the first page links to
 */
function writeListing<Member extends { readonly id: number }>(
  db: Database,
  { id, kind, slug, name, label, members }: Listing<Member>,
  {
    place,
    perPage,
    facts,
  }: { readonly place: number; readonly perPage: number; readonly facts: string | null },
  shownOf: (member: Member) => string,
  related: readonly ListingDraft[] = [],
): void {
  const pages = Math.ceil(members.length / perPage);
  const ids = JSON.stringify(related.map((other) => other.id));
  const row = [id, kind, place, slug, name, members.length, pages, ids];
  db.run("INSERT INTO listings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ...row);
  for (let number = 1; number <= pages; number++) {
    const own = members.slice((number - 1) * perPage, number * perPage);
    const links = number === 1 ? related.map((other) => `${other.kind} ${other.label}`) : [];
    if (number === 1 && facts !== null) links.push(facts);
    const shown = [kind, slug, label, members.length, number, ...links, "", ...own.map(shownOf)];
    writePage(db, { path: termPath(kind, slug, number), kind, term: slug, number }, shown, own);
  }
}

/** @param shown everything that the page shows of the collection */
function writePage(
  db: Database,
  { path, kind, term, number }: Omit<PlannedPage, "cacheKey">,
  shown: readonly (string | number)[],
  members: readonly { readonly id: number; readonly language?: string }[],
): void {
  // Upstream text holds no control characters, so the separator is unambiguous.
  const cacheKey = digest(shown.join("\0"));
  const ids = JSON.stringify(members.map(({ id }) => id));
  const languages = JSON.stringify([...new Set(members.flatMap(({ language = [] }) => language))]);
  const main = mainLanguage(members.flatMap(({ language = [] }) => language));
  const row = [path, kind, term, number, cacheKey, ids, languages, main];
  db.run("INSERT INTO pages VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", ...row);
}

/** Names of which several spellings count as one. */
export interface MergedNames {
  readonly total: number;
  /** The first few, largest first: the spelling shown, and the others. */
  readonly first: {
    readonly kind: "author" | "tag";
    readonly name: string;
    readonly others: readonly string[];
  }[];
}

/** Those with most quotes first. */
function mergedNames(listings: readonly ListingDraft[]): MergedNames {
  const merged = listings.flatMap(({ kind, name, spellings }): MergedNames["first"] => {
    if (kind === "language" || name === null || spellings.length < 2) return [];
    // The first spelling is the name.
    const others = spellings.slice(1, NAMED.others + 1).map((other) => other.name ?? "");
    return [{ kind, name, others }];
  });
  return { total: merged.length, first: merged.slice(0, NAMED.names) };
}
