/**
 * The addresses that a site had, kept in the state from build to build, and where each leads now.
 *
 * A renamed listing is recognised by its quotes: at least half of those that an author had are now another's, or carry a
 * tag that they did not carry before. A listing whose quotes are all gone leaves no trace, and neither does a quote that
 * no page shows: a redirect would be a hint of what was reported or hidden.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FIXED_PATHS, quotePath, termPath, UNKNOWN_SLUG } from "../plan/index.ts";
import type { SiteReader } from "../site/index.ts";
import type { Database } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

/** A site whose addresses are compared: its plan has the pages, its folder the feeds. */
export interface HostedSite {
  readonly reader: SiteReader;
  readonly outDir: string;
}

export interface Redirect {
  /** Paths without the base path; the second may end in a fragment. */
  readonly from: string;
  readonly to: string;
}

interface Move {
  readonly source: string;
  /** A path, or `#ID` for a quote that lost its page: its place is looked up in each build. */
  readonly target: string;
  /** Moves with a larger weight are kept first where a host accepts few redirects. */
  readonly weight: number;
}

interface ListingRow {
  /** `initial` is a page of the authors' index. */
  readonly kind: (typeof KINDS)[number];
  readonly slug: string;
  readonly pages: number;
  /** Of all that its first page shows: while it stays the same, so do the first quotes. */
  readonly digest: string;
  /** Number of its quotes; of an initial, of its authors. */
  readonly members: number;
  /** A few of its quotes to recognise it by, as JSON. */
  readonly sample: string;
}

interface Sampled {
  readonly id: number;
  /** Slugs of its other tags, in the listing of a tag: only a tag is recognised by them. */
  readonly tags: readonly string[];
}

/** Raise it with every change of the tables or of what is in them: a history of another version begins anew. */
const VERSION = 2;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS listings (kind TEXT NOT NULL, slug TEXT NOT NULL, pages INTEGER NOT NULL,
    digest TEXT NOT NULL, members INTEGER NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (kind, slug)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS quote_pages (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS moved (source TEXT PRIMARY KEY, target TEXT NOT NULL, weight REAL NOT NULL)
    STRICT, WITHOUT ROWID;
  -- Of the plan that was compared last.
  CREATE TABLE IF NOT EXISTS noted (origin TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS written (path TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const KINDS = ["tag", "author", "language", "initial"] as const;
/** Quotes by which a listing is recognised. */
const SAMPLE = 5;

/** Moves remembered, the largest weights: more than any host accepts. */
const MOST_MOVES = 50_000;
/** Later pages of a listing that have a redirect each. */
const MOST_PAGES = 50;
/** Chains longer than this many renames are a mistake. */
const MOST_STEPS = 100;
/** Weight of a link to one quote, where a listing weighs its number of quotes. */
const QUOTE_WEIGHT = 2;
/** The index of all tags replaces a tag that has no listing any more. */
const TAGS = "/tags/";

const FEEDS = ["feed.xml", "atom.xml", "feed.json"];
const FEED = /\/(?:feed\.(?:xml|json)|atom\.xml)$/;
const FIXED = new Set<string>(Object.values(FIXED_PATHS));

export class AddressHistory {
  readonly #db: Database;

  /** @throws {DiskError} when the file cannot be written */
  constructor(stateDir: string) {
    // A damaged history costs the redirects of earlier moves; a build that fails every night costs the site.
    this.#db = openDisposable(join(stateDir, "addresses.sqlite"), SCHEMA, VERSION);
  }

  /** Compares a site with the one before it, and remembers it instead. */
  note(site: HostedSite): void {
    const origin = site.reader.origin();
    this.#db.transaction(() => {
      const isNoted = this.#db.get("SELECT 1 FROM noted WHERE origin = ?", origin) !== undefined;
      const found = isNoted ? [] : [...this.#listings(site), ...this.#quotes(site)];
      this.#db.run("DELETE FROM noted");
      this.#db.run("INSERT INTO noted VALUES (?)", origin);
      for (const { source, target, weight } of found) {
        this.#db.run("INSERT OR REPLACE INTO moved VALUES (?, ?, ?)", source, target, weight);
      }
      for (const { source, target } of this.moves()) {
        if (isPage(site, source) || placeOf(target, site) === null)
          this.#db.run("DELETE FROM moved WHERE source = ?", source);
      }
      this.#db.run(
        "DELETE FROM moved WHERE source IN (SELECT source FROM moved ORDER BY weight DESC, source LIMIT -1 OFFSET ?)",
        MOST_MOVES,
      );
    });
  }

  /** Everything that moved, the largest weight first. */
  moves(): Move[] {
    return this.#db.all<Move>("SELECT * FROM moved ORDER BY weight DESC, source");
  }

  /** The moves as redirects: each leads directly to a page that exists, and none from a page that exists. */
  *redirects(site: HostedSite): Generator<Redirect> {
    const targets = new Map(this.moves().map(({ source, target }) => [source, target]));
    for (const from of targets.keys()) {
      const to = isPage(site, from) ? null : endOf(from, targets, site);
      if (to !== null) yield { from, to };
    }
  }

  /** Digests of the files that the last build wrote for the host, by name. */
  written(): Map<string, string> {
    return new Map(this.#db.tuples<[string, string]>("SELECT path, digest FROM written"));
  }

  setWritten(files: ReadonlyMap<string, string>): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM written");
      for (const file of files) this.#db.run("INSERT INTO written VALUES (?, ?)", ...file);
    });
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #listings(site: HostedSite): Move[] {
    const { reader } = site;
    const rows = this.#db.all<ListingRow>("SELECT * FROM listings");
    const before = new Map(rows.map((row) => [`${row.kind} ${row.slug}`, row]));
    const moves: Move[] = [];
    for (const kind of KINDS) {
      for (const [slug, all] of Map.groupBy(reader.pagesOf(kind), ({ term }) => term)) {
        const [pages, digest] = [all.length, all[0]?.cacheKey ?? ""];
        const row = before.get(`${kind} ${slug}`);
        before.delete(`${kind} ${slug}`);
        if (row !== undefined)
          moves.push(...pageMoves(row, pages + 1, termPath(kind, slug, pages)));
        if (row?.pages === pages && row.digest === digest) continue;
        const { members, sample } = sampleOf(reader, kind, slug);
        const values = [kind, slug, pages, digest, members, JSON.stringify(sample)];
        this.#db.run("INSERT OR REPLACE INTO listings VALUES (?, ?, ?, ?, ?, ?)", ...values);
      }
    }
    for (const row of before.values()) {
      this.#db.run("DELETE FROM listings WHERE kind = ? AND slug = ?", row.kind, row.slug);
      const to = successorOf(row, reader);
      if (to === null) continue;
      moves.push(...pageMoves(row, 1, to));
      const from = termPath(row.kind, row.slug);
      for (const feed of to === TAGS ? [] : FEEDS)
        moves.push({ source: from + feed, target: to + feed, weight: row.members / 2 });
    }
    return moves;
  }

  #quotes({ reader }: HostedSite): Move[] {
    const before = new Set(
      this.#db.tuples<[number]>("SELECT id FROM quote_pages").map(([id]) => id),
    );
    for (const { term } of reader.pagesOf("quote")) {
      const id = Number(term);
      if (!before.delete(id)) this.#db.run("INSERT INTO quote_pages VALUES (?)", id);
    }
    return [...before].map((id) => {
      this.#db.run("DELETE FROM quote_pages WHERE id = ?", id);
      return { source: quotePath(id), target: `#${id}`, weight: QUOTE_WEIGHT };
    });
  }
}

/** The pages of a listing from one on, as far as it had them. */
function pageMoves({ kind, slug, pages, members }: ListingRow, first: number, to: string): Move[] {
  const count = Math.max(0, Math.min(pages - first + 1, MOST_PAGES));
  return Array.from({ length: count }, (_, index) => ({
    source: termPath(kind, slug, first + index),
    target: to,
    weight: members / (first + index) ** 2,
  }));
}

/** How many members a listing has, and a few to recognise it by. */
function sampleOf(reader: SiteReader, kind: ListingRow["kind"], slug: string) {
  if (kind === "initial") return { members: reader.initial(slug, 1).initial.authors, sample: [] };
  const { ids, total, cards } = reader.listing(kind, slug, 1);
  const tagsAt = (place: number): string[] =>
    kind === "tag" ? (cards[place]?.tags ?? []).map((tag) => tag.slug) : [];
  const sample = ids.slice(0, SAMPLE).map((id, place): Sampled => ({ id, tags: tagsAt(place) }));
  return { members: total, sample };
}

/** The listing that has the quotes of one that is gone: what half of them gained, or more; the first by name of several. */
function successorOf({ kind, slug, sample }: ListingRow, reader: SiteReader): string | null {
  if (kind !== "author" && kind !== "tag") return null;
  const gained = (JSON.parse(sample) as Sampled[]).flatMap(({ id, tags: before }) => {
    const card = reader.card(id);
    if (card === undefined) return [];
    if (kind === "author") return [card.author.slug === UNKNOWN_SLUG ? [] : [card.author.slug]];
    const tags = new Set(card.tags.map((tag) => tag.slug));
    return [[...tags].filter((tag) => tag !== slug && !before.includes(tag))];
  });
  if (gained.length === 0) return null;
  const quotes = Map.groupBy(gained.flat(), (name) => name);
  const [best] = [...quotes].sort(
    ([a, { length: many }], [b, { length: more }]) => more - many || (a < b ? -1 : 1),
  );
  if (best !== undefined && best[1].length * 2 >= gained.length) return termPath(kind, best[0]);
  return kind === "tag" ? TAGS : null;
}

/** Follows an address to a page that exists; null where there is none, or the redirects form a circle. */
function endOf(
  from: string,
  targets: ReadonlyMap<string, string>,
  site: HostedSite,
): string | null {
  let at = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    // Page 7 of a listing that has fewer pages now was a place in the listing.
    const next = targets.get(at) ?? /^(\/[^/]+\/[^/]+\/)\d+\/$/u.exec(at)?.[1];
    if (next === undefined || next === from) return null;
    if (next.startsWith("#") || isPage(site, next)) return placeOf(next, site);
    at = next;
  }
  return null;
}

/** A path; of a quote its own page, or its place in its author's listing; null for a quote that no page shows. */
function placeOf(target: string, { reader }: HostedSite): string | null {
  if (!target.startsWith("#")) return target;
  return reader.card(Number(target.slice(1)))?.permalink ?? null;
}

function isPage({ reader, outDir }: HostedSite, path: string): boolean {
  if (FEED.test(path)) return existsSync(join(outDir, path));
  return FIXED.has(path) || reader.page(path) !== undefined;
}
