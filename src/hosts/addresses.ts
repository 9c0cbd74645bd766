/**
 * Stores the addresses of a site from build to build, and derives redirects from old addresses to new ones.
 *
 * A renamed listing is recognised by its quotes: at least half of an author's quotes now have another author, or at least half
 * of a tag's quotes have another new tag. A quote that no page shows has no redirect, nor has a listing whose quotes are all
 * gone: a redirect would hint at what was reported or hidden.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FIXED_PATHS, quotePath, termPath, UNKNOWN_SLUG } from "../plan/index.ts";
import type { PageReader } from "../site/index.ts";
import type { Database } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

export interface HostedSite {
  readonly reader: PageReader;
  /** Contains the feeds, which are not in the plan. */
  readonly outDir: string;
}

/** Paths without the base path. */
export interface Redirect {
  readonly from: string;
  /** May end in a fragment. */
  readonly to: string;
}

interface Move {
  readonly source: string;
  /** A path, or `#ID` for a quote that lost its page: each build looks up its place. */
  readonly target: string;
  /** Where a host accepts few redirects, it gets those with the largest weights. */
  readonly weight: number;
}

interface ListingRow {
  /** `initial` is a page of the authors' index. */
  readonly kind: (typeof KINDS)[number];
  readonly slug: string;
  readonly pages: number;
  /** Cache key of its first page, so of its first quotes. */
  readonly digest: string;
  /** Number of its quotes; for an initial, of its authors. */
  readonly members: number;
  /** A list of `Sampled` as JSON. */
  readonly sample: string;
}

/** A quote by which a renamed listing is recognised. */
interface Sampled {
  readonly id: number;
  /** Slugs of its tags, in the listing of a tag. */
  readonly tags: readonly string[];
}

/** Raise it with every change of the tables or their content: a history of another version is discarded. */
const VERSION = 2;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS listings (kind TEXT NOT NULL, slug TEXT NOT NULL, pages INTEGER NOT NULL,
    digest TEXT NOT NULL, members INTEGER NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (kind, slug)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS quote_pages (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS moved (source TEXT PRIMARY KEY, target TEXT NOT NULL, weight REAL NOT NULL)
    STRICT, WITHOUT ROWID;
  -- The origin of the plan that was noted last.
  CREATE TABLE IF NOT EXISTS noted (origin TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS written (path TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const KINDS = ["tag", "author", "language", "initial"] as const;
const SAMPLE = 5;

/** Stored moves: more than any host accepts. */
const MOST_MOVES = 50_000;
/** Later pages of a listing that have a redirect each. */
const MOST_PAGES = 50;
/** A longer chain of redirects is a loop. */
const MOST_STEPS = 100;
/** The weight of a listing is its number of quotes. */
const QUOTE_WEIGHT = 2;
/** The index of tags, where the address of a removed tag leads. */
const TAGS = "/tags/";

const FEEDS = ["feed.xml", "atom.xml", "feed.json"];
const FEED = /\/(?:feed\.(?:xml|json)|atom\.xml)$/;
const FIXED = new Set<string>(Object.values(FIXED_PATHS));

export class AddressHistory {
  readonly #db: Database;

  /** @throws {DiskError} when the file cannot be written */
  constructor(stateDir: string) {
    // A damaged history is discarded: redirects are lost, but builds do not fail.
    this.#db = openDisposable(join(stateDir, "addresses.sqlite"), SCHEMA, VERSION);
  }

  /** Compares a site with the one noted before, stores the moves, and notes the site. */
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

  /** All moves, the largest weight first. */
  moves(): Move[] {
    return this.#db.all<Move>("SELECT * FROM moved ORDER BY weight DESC, source");
  }

  /** The moves as redirects: each leads directly to an existing page, and none from an existing page. */
  *redirects(site: HostedSite): Generator<Redirect> {
    const targets = new Map(this.moves().map(({ source, target }) => [source, target]));
    for (const from of targets.keys()) {
      const to = isPage(site, from) ? null : endOf(from, targets, site);
      if (to !== null) yield { from, to };
    }
  }

  /** Digests of the files that the last build wrote for the host, by path. */
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

/** @returns a move to `to` for each page of a listing from `first` on */
function pageMoves({ kind, slug, pages, members }: ListingRow, first: number, to: string): Move[] {
  const count = Math.max(0, Math.min(pages - first + 1, MOST_PAGES));
  return Array.from({ length: count }, (_, index) => ({
    source: termPath(kind, slug, first + index),
    target: to,
    weight: members / (first + index) ** 2,
  }));
}

/** The number of members of a listing, and a sample of them. */
function sampleOf(reader: PageReader, kind: ListingRow["kind"], slug: string) {
  if (kind === "initial") return { members: reader.initial(slug, 1).initial.authors, sample: [] };
  const { ids, total, cards } = reader.listing(kind, slug, 1);
  const tagsAt = (place: number): string[] =>
    kind === "tag" ? (cards[place]?.tags ?? []).map((tag) => tag.slug) : [];
  const sample = ids.slice(0, SAMPLE).map((id, place): Sampled => ({ id, tags: tagsAt(place) }));
  return { members: total, sample };
}

/** The author or tag that at least half of the quotes of a removed listing gained; of several, the first by name. */
function successorOf({ kind, slug, sample }: ListingRow, reader: PageReader): string | null {
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

/** Follows the moves of an address to an existing page; null where there is none, or the moves form a loop. */
function endOf(
  from: string,
  targets: ReadonlyMap<string, string>,
  site: HostedSite,
): string | null {
  let at = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    // A page that a shorter listing lacks leads to its first page.
    const next = targets.get(at) ?? /^(\/[^/]+\/[^/]+\/)\d+\/$/u.exec(at)?.[1];
    if (next === undefined || next === from) return null;
    if (next.startsWith("#") || isPage(site, next)) return placeOf(next, site);
    at = next;
  }
  return null;
}

/** @returns the path of a target; for a quote, its permalink, or null where no page shows it */
function placeOf(target: string, { reader }: HostedSite): string | null {
  if (!target.startsWith("#")) return target;
  return reader.card(Number(target.slice(1)))?.permalink ?? null;
}

function isPage({ reader, outDir }: HostedSite, path: string): boolean {
  if (FEED.test(path)) return existsSync(join(outDir, path));
  return FIXED.has(path) || reader.page(path) !== undefined;
}
