/**
 * The addresses that a site had, kept in the state from build to build, and what moved since.
 *
 * It is no record of quotes: of a listing it keeps five ids to know it again by, and of a quote that left nothing at all.
 */
import { join } from "node:path";
import type { Database } from "../../sqlite/database.ts";
import { openDisposable } from "../../sqlite/disposable.ts";
import { listingMoves, quoteMove, type Move } from "./moves.ts";
import type { Listing, PlaceKind, Sampled, Site } from "./site.ts";

/** Raise it with every change of the tables: a history of another version begins anew. */
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE listings (kind TEXT NOT NULL, slug TEXT NOT NULL, pages INTEGER NOT NULL,
    digest TEXT NOT NULL, members INTEGER NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (kind, slug)) STRICT, WITHOUT ROWID;
  CREATE TABLE quote_pages (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE moved (source TEXT PRIMARY KEY, target TEXT NOT NULL, weight REAL NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE TABLE written (path TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`;

const TABLES = ["facts", "listings", "quote_pages", "moved", "written"];

/** Moves remembered, the weightiest: more than any host takes. */
const MOST_MOVES = 50_000;

interface ListingRow {
  readonly kind: PlaceKind;
  readonly slug: string;
  readonly pages: number;
  readonly digest: string;
  readonly members: number;
  readonly sample: string;
}

export class AddressHistory {
  readonly #db: Database;

  /** @throws {DiskError} when the file cannot be written */
  constructor(stateDir: string) {
    // A damaged history costs redirects of moves in the past; a build that fails every night costs the site.
    this.#db = openDisposable(join(stateDir, "addresses.sqlite"));
    const version = this.#db.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
    if (version === VERSION) return;
    this.#db.transaction(() => {
      for (const table of TABLES) this.#db.exec(`DROP TABLE IF EXISTS ${table}`);
      this.#db.exec(SCHEMA);
    });
  }

  /** Compares a site with the one before it, and remembers it instead. */
  note(site: Site): void {
    if (this.#fact("key") === site.key) return;
    this.#db.transaction(() => {
      const moves = [...this.#listings(site), ...this.#quotes(site)];
      for (const { from, to, weight } of moves) {
        this.#db.run(
          "INSERT OR REPLACE INTO moved VALUES (?, ?, ?)",
          from,
          JSON.stringify(to),
          weight,
        );
      }
      this.#forget(site);
      this.#db.run("INSERT OR REPLACE INTO facts VALUES ('key', ?)", site.key);
    });
  }

  /** Everything that moved, the weightiest first. */
  *moves(): Generator<Move> {
    const rows = this.#db.each<{ source: string; target: string; weight: number }>(
      "SELECT source, target, weight FROM moved ORDER BY weight DESC, source",
    );
    for (const { source, target, weight } of rows) {
      yield { from: source, to: JSON.parse(target) as string | number, weight };
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
      for (const [path, digest] of files)
        this.#db.run("INSERT INTO written VALUES (?, ?)", path, digest);
    });
  }

  close(): void {
    this.#db.close();
  }

  #fact(key: string): string | undefined {
    return this.#db.get<{ value: string }>("SELECT value FROM facts WHERE key = ?", key)?.value;
  }

  #listings(site: Site): Move[] {
    const before = new Map<string, ListingRow>();
    for (const row of this.#db.each<ListingRow>("SELECT * FROM listings")) {
      before.set(`${row.kind} ${row.slug}`, row);
    }
    const moves: Move[] = [];
    for (const now of site.listings()) {
      const row = before.get(`${now.kind} ${now.slug}`);
      before.delete(`${now.kind} ${now.slug}`);
      if (row !== undefined) moves.push(...listingMoves(asListing(row), now, site));
      const { kind, slug, pages, digest } = now;
      if (row?.pages === pages && row.digest === digest) continue;
      const { members, sample } = now.read();
      const sql = "INSERT OR REPLACE INTO listings VALUES (?, ?, ?, ?, ?, ?)";
      this.#db.run(sql, kind, slug, pages, digest, members, JSON.stringify(sample));
    }
    for (const row of before.values()) {
      moves.push(...listingMoves(asListing(row), undefined, site));
      this.#db.run("DELETE FROM listings WHERE kind = ? AND slug = ?", row.kind, row.slug);
    }
    return moves;
  }

  #quotes(site: Site): Move[] {
    const before = new Set<number>();
    for (const { id } of this.#db.each<{ id: number }>("SELECT id FROM quote_pages"))
      before.add(id);
    for (const id of site.quotePages()) {
      if (!before.delete(id)) this.#db.run("INSERT INTO quote_pages VALUES (?)", id);
    }
    return [...before].map((id) => {
      this.#db.run("DELETE FROM quote_pages WHERE id = ?", id);
      return quoteMove(id, site);
    });
  }

  /** What is a page again, what quotes no page shows any more had, and the least of what is too much. */
  #forget(site: Site): void {
    for (const { from, to } of [...this.moves()]) {
      const gone = typeof to === "number" && site.where(to) === null;
      if (gone || site.isPage(from)) this.#db.run("DELETE FROM moved WHERE source = ?", from);
    }
    this.#db.run(
      "DELETE FROM moved WHERE source IN (SELECT source FROM moved ORDER BY weight DESC, source LIMIT -1 OFFSET ?)",
      MOST_MOVES,
    );
  }
}

function asListing({ kind, slug, pages, members, sample }: ListingRow): Listing {
  return { kind, slug, pages, members, sample: JSON.parse(sample) as Sampled[] };
}
