/**
 * The addresses that a site had, kept in the state from build to build, and where each leads now.
 *
 * A renamed listing is recognised by its quotes: at least half of those that an author had are now another's, or carry a
 * tag that they did not carry before. A listing whose quotes are all gone leaves no trace, and neither does a quote that
 * no page shows: a redirect would be a hint of what was reported or hidden.
 */
import { join } from "node:path";
import { quotePath, termPath } from "../plan/index.ts";
import type { Database } from "../sqlite/database.ts";
import { openDisposable } from "../sqlite/disposable.ts";

/** `initial` is a page of the authors' index. */
export type PlaceKind = "tag" | "author" | "language" | "initial";

export interface Sampled {
  readonly id: number;
  /** Slugs of all its tags. */
  readonly tags: readonly string[];
}

export interface Listing {
  readonly kind: PlaceKind;
  readonly slug: string;
  readonly pages: number;
  /** Of all that its first page shows: while it stays the same, so do the first quotes. */
  readonly digest: string;
  /** Number of its quotes (of an initial: authors), and a few quotes to recognise it by. */
  read(): { readonly members: number; readonly sample: readonly Sampled[] };
}

/** Where a quote is. */
export interface Whereabouts extends Sampled {
  /** Slug; null for a quote without an author. */
  readonly author: string | null;
  /** Path of its own page, or of its place in its author's listing. */
  readonly place: string;
}

/** What the history asks of a site. Paths are without the base path. */
export interface SiteAddresses {
  /** Every listing once. */
  listings(): Iterable<Listing>;
  /** The quotes that have a page of their own. */
  quotePages(): Iterable<number>;
  /** Null for a quote that no page shows, be it gone, reported or hidden. */
  where(id: number): Whereabouts | null;
  /** Whether the plan has such a page. */
  isPage(path: string): boolean;
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

interface ListingRow extends Omit<Listing, "read"> {
  readonly members: number;
  /** JSON. */
  readonly sample: string;
}

/** Raise it with every change of the tables or of what is in them: a history of another version begins anew. */
const VERSION = 2;

const SCHEMA = `
  CREATE TABLE listings (kind TEXT NOT NULL, slug TEXT NOT NULL, pages INTEGER NOT NULL,
    digest TEXT NOT NULL, members INTEGER NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (kind, slug)) STRICT, WITHOUT ROWID;
  CREATE TABLE quote_pages (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE moved (source TEXT PRIMARY KEY, target TEXT NOT NULL, weight REAL NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE TABLE written (path TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`;

/** Moves remembered, the largest weights: more than any host accepts. */
const MOST_MOVES = 50_000;
/** Later pages of a listing that have a redirect each. */
const MOST_PAGES = 50;
/** Chains longer than this many renames are a mistake. */
const MOST_STEPS = 100;
/** A link to a quote, beside a listing with as many quotes. */
const QUOTE_WEIGHT = 2;
/** The index that has what has no listing any more. */
const TAGS = "/tags/";

const FEEDS = ["feed.xml", "atom.xml", "feed.json"];

export class AddressHistory {
  readonly #db: Database;

  /** @throws {DiskError} when the file cannot be written */
  constructor(stateDir: string) {
    // A damaged history costs the redirects of earlier moves; a build that fails every night costs the site.
    this.#db = openDisposable(join(stateDir, "addresses.sqlite"));
    if (this.#db.number("SELECT user_version AS n FROM pragma_user_version") === VERSION) return;
    this.#db.transaction(() => {
      const tables = this.#db.all<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table'",
      );
      for (const { name } of tables) this.#db.exec(`DROP TABLE "${name}"`);
      this.#db.exec(SCHEMA);
    });
  }

  /** Compares a site with the one before it, and remembers it instead. */
  note(site: SiteAddresses): void {
    this.#db.transaction(() => {
      for (const { source, target, weight } of [...this.#listings(site), ...this.#quotes(site)]) {
        this.#db.run("INSERT OR REPLACE INTO moved VALUES (?, ?, ?)", source, target, weight);
      }
      for (const { source, target } of this.moves()) {
        if (site.isPage(source) || placeOf(target, site) === null)
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
  *redirects(site: SiteAddresses): Generator<Redirect> {
    const targets = new Map(this.moves().map(({ source, target }) => [source, target]));
    for (const from of targets.keys()) {
      const to = site.isPage(from) ? null : endOf(from, targets, site);
      if (to !== null) yield { from, to };
    }
  }

  /** Digests of the files that the last build wrote for the host, by name. */
  written(): Map<string, string> {
    const rows = this.#db.all<{ path: string; digest: string }>("SELECT path, digest FROM written");
    return new Map(rows.map(({ path, digest }) => [path, digest]));
  }

  setWritten(files: ReadonlyMap<string, string>): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM written");
      for (const file of files) this.#db.run("INSERT INTO written VALUES (?, ?)", ...file);
    });
  }

  close(): void {
    this.#db.close();
  }

  #listings(site: SiteAddresses): Move[] {
    const rows = this.#db.all<ListingRow>("SELECT * FROM listings");
    const before = new Map(rows.map((row) => [`${row.kind} ${row.slug}`, row]));
    const moves: Move[] = [];
    for (const listing of site.listings()) {
      const { kind, slug, pages, digest } = listing;
      const row = before.get(`${kind} ${slug}`);
      before.delete(`${kind} ${slug}`);
      if (row !== undefined) moves.push(...pageMoves(row, pages + 1, termPath(kind, slug, pages)));
      if (row?.pages === pages && row.digest === digest) continue;
      const { members, sample } = listing.read();
      const values = [kind, slug, pages, digest, members, JSON.stringify(sample)];
      this.#db.run("INSERT OR REPLACE INTO listings VALUES (?, ?, ?, ?, ?, ?)", ...values);
    }
    for (const row of before.values()) {
      this.#db.run("DELETE FROM listings WHERE kind = ? AND slug = ?", row.kind, row.slug);
      const to = successorOf(row, site);
      if (to === null) continue;
      moves.push(...pageMoves(row, 1, to));
      const from = termPath(row.kind, row.slug);
      for (const feed of to === TAGS ? [] : FEEDS)
        moves.push({ source: from + feed, target: to + feed, weight: row.members / 2 });
    }
    return moves;
  }

  #quotes(site: SiteAddresses): Move[] {
    const rows = this.#db.all<{ id: number }>("SELECT id FROM quote_pages");
    const before = new Set(rows.map(({ id }) => id));
    for (const id of site.quotePages()) {
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

/** The listing that has the quotes of one that is gone. */
function successorOf({ kind, slug, sample }: ListingRow, site: SiteAddresses): string | null {
  const left = (JSON.parse(sample) as Sampled[]).flatMap(({ id, tags }) => {
    const now = site.where(id);
    return now === null ? [] : [{ before: tags, now }];
  });
  if (left.length === 0 || (kind !== "author" && kind !== "tag")) return null;
  const gained = left.map(({ before, now }) =>
    kind === "author"
      ? [now.author].filter((author) => author !== null)
      : now.tags.filter((tag) => tag !== slug && !before.includes(tag)),
  );
  const successor = mostCommon(gained);
  return successor === null ? (kind === "tag" ? TAGS : null) : termPath(kind, successor);
}

/** What most of the lists have, and at least half of them; the first by name of several. */
function mostCommon(lists: readonly (readonly string[])[]): string | null {
  const names = lists.flatMap((list) => [...new Set(list)]);
  const groups = Object.entries(Object.groupBy(names, (name) => name));
  const counts = groups.map(([name, all]): [string, number] => [name, all?.length ?? 0]);
  const [best] = counts.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return best !== undefined && best[1] * 2 >= lists.length ? best[0] : null;
}

/** Follows an address to a page that exists; null where there is none, or the way leads back. */
function endOf(
  from: string,
  targets: ReadonlyMap<string, string>,
  site: SiteAddresses,
): string | null {
  let at = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    // Page 7 of a listing that has fewer pages now was a place in the listing.
    const next = targets.get(at) ?? /^(\/[^/]+\/[^/]+\/)\d+\/$/u.exec(at)?.[1];
    if (next === undefined || next === from) return null;
    if (next.startsWith("#") || site.isPage(next)) return placeOf(next, site);
    at = next;
  }
  return null;
}

/** Null for a quote that no page shows. */
function placeOf(target: string, site: SiteAddresses): string | null {
  if (!target.startsWith("#")) return target;
  return site.where(Number(target.slice(1)))?.place ?? null;
}
