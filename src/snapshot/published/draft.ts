/**
 * What would be published, put together in a file that counts for nothing yet.
 *
 * Killed at any moment, it is a stray file that the next start removes; so it needs neither a journal nor the disk.
 */
import type { CollectionChange, CuratedFact } from "../../contract/harvest-result.ts";
import type { Database } from "../../sqlite/database.ts";
import { QUOTE_COLUMNS } from "../row.ts";
import { fillCurated, type CuratedRead } from "./curation.ts";
import { UNREADABLE } from "./gap.ts";
import { quoted } from "./sql.ts";
import { publishedSchema } from "./schema.ts";

/** What becomes of the quotes that stand in the snapshot before and were not seen now. */
export type Missing =
  /** The harvest was not complete: they stay. */
  | "keep"
  /** Those known to be gone are removed, and those that are no longer asked for. */
  | "remove gone"
  /** All are removed. */
  | "remove all";

const KEPT: Readonly<Record<Missing, string>> = {
  keep: "1",
  "remove gone":
    "asked(language, tags) = 1 AND NOT EXISTS (SELECT 1 FROM main.gone WHERE id = old.id)",
  "remove all": UNREADABLE,
};

/** Days for which a quote counts as new. */
const NEW_DAYS = 90;

/** A few names of a list, and how many there are. */
export interface Names {
  readonly total: number;
  readonly first: readonly string[];
}

export class Draft {
  readonly path: string;
  readonly #work: Database;
  readonly #previous: boolean;
  isOpen = true;

  /** @param previous path of the snapshot before; null when there is none */
  constructor(work: Database, path: string, previous: string | null) {
    this.path = path;
    this.#work = work;
    this.#previous = previous !== null;
    work.exec(`ATTACH ${quoted(path)} AS draft`);
    work.exec("PRAGMA draft.journal_mode = OFF; PRAGMA draft.synchronous = OFF");
    if (previous !== null) work.exec(`ATTACH ${quoted(previous)} AS previous`);
    work.exec(publishedSchema("draft"));
  }

  /**
   * @param since when what is missing was found to be gone and what was not there was first seen, ISO 8601
   * @param isNews whether a quote that the snapshot before lacks is new: it was whole
   */
  fill(missing: Missing, since: string, isNews = true): CollectionChange {
    return this.#work.transaction(() => {
      this.#fillQuotes(missing);
      this.#fillTags();
      if (this.#previous) {
        this.#fillGone(since);
        this.#fillFirstSeen(since, isNews);
      }
      return this.#change();
    });
  }

  count(): number {
    return this.#number("SELECT count(*) AS n FROM draft.quotes");
  }

  languages(): Record<string, number> {
    const rows = this.#work.all<{ language: string; n: number }>(
      "SELECT language, count(*) AS n FROM draft.quotes GROUP BY language ORDER BY language",
    );
    return Object.fromEntries(rows.map(({ language, n }) => [language, n]));
  }

  /** Tags that quotes carry and the list lacks, and tags of the list that no quote carries. */
  compareTags(limit: number): { readonly unlisted: Names; readonly unused: Names } {
    // Many quotes carry the same tags: each list is taken apart once.
    this.#work.exec(
      `CREATE TEMP TABLE carried AS SELECT DISTINCT tag.value AS name
         FROM (SELECT DISTINCT tags FROM draft.quotes) AS lists, json_each(lists.tags) AS tag`,
    );
    try {
      return {
        unlisted: this.#names(
          "SELECT name FROM carried WHERE name NOT IN (SELECT name FROM draft.tags)",
          limit,
        ),
        unused: this.#names(
          "SELECT name FROM draft.tags WHERE name NOT IN (SELECT name FROM carried)",
          limit,
        ),
      };
    } finally {
      this.#work.exec("DROP TABLE carried");
    }
  }

  /** After `fill`. */
  fillCurated(
    read: CuratedRead,
    before: CuratedFact | undefined,
    now: string,
  ): CuratedFact | undefined {
    return this.#work.transaction(() => fillCurated(this.#work, read, before, now));
  }

  writeFacts(facts: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(facts)) {
      this.#work.run(
        "INSERT INTO draft.facts (key, value) VALUES (?, ?)",
        key,
        JSON.stringify(value),
      );
    }
  }

  /** Writes a compact copy that stands by itself. */
  copyTo(path: string): void {
    this.#work.exec(`VACUUM draft INTO ${quoted(path)}`);
  }

  close(): void {
    this.isOpen = false;
    this.#work.exec("DETACH draft");
    if (this.#previous) this.#work.exec("DETACH previous");
  }

  #fillQuotes(missing: Missing): void {
    const kept = this.#previous
      ? `UNION ALL SELECT ${QUOTE_COLUMNS} FROM previous.quotes AS old
           WHERE NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id) AND ${KEPT[missing]}`
      : "";
    this.#work.run(
      `INSERT INTO draft.quotes (${QUOTE_COLUMNS})
         SELECT ${QUOTE_COLUMNS} FROM main.quotes ${kept} ORDER BY id`,
    );
  }

  /** The list of the snapshot before, where this harvest has read none. */
  #fillTags(): void {
    const read = this.#number("SELECT count(*) AS n FROM main.tags") > 0 || !this.#previous;
    const from = read ? "main" : "previous";
    this.#work.run(`INSERT INTO draft.tags SELECT name, slug FROM ${from}.tags ORDER BY name`);
  }

  #fillGone(since: string): void {
    this.#work.run(
      `INSERT INTO draft.gone SELECT id, since FROM previous.gone
        WHERE id NOT IN (SELECT id FROM draft.quotes)`,
    );
    this.#work.run(
      `INSERT INTO draft.gone SELECT id, ? FROM previous.quotes AS old
        WHERE asked(language, tags) = 1 AND NOT EXISTS (SELECT 1 FROM draft.quotes WHERE id = old.id)
        ON CONFLICT DO NOTHING`,
      since,
    );
  }

  /** A quote that was gone and is back is not new. */
  #fillFirstSeen(since: string, isNews: boolean): void {
    const older = "SELECT 1 FROM previous.sqlite_schema WHERE name = 'first_seen'";
    if (this.#work.get(older) !== undefined) {
      this.#work.run(
        `INSERT INTO draft.first_seen SELECT id, since FROM previous.first_seen
          WHERE julianday(since) > julianday(?) - ${NEW_DAYS} AND id IN (SELECT id FROM draft.quotes)`,
        since,
      );
    }
    if (!isNews) return;
    this.#work.run(
      `INSERT INTO draft.first_seen SELECT id, ? FROM draft.quotes AS new
        WHERE NOT EXISTS (SELECT 1 FROM previous.quotes WHERE id = new.id)
          AND NOT EXISTS (SELECT 1 FROM previous.gone WHERE id = new.id)`,
      since,
    );
  }

  #change(): CollectionChange {
    if (!this.#previous) return { added: this.count(), changed: 0, removed: 0, deselected: 0 };
    const lost = (asked: 0 | 1): number =>
      this.#number(
        `SELECT count(*) AS n FROM previous.quotes AS old
          WHERE NOT EXISTS (SELECT 1 FROM draft.quotes WHERE id = old.id)
            AND asked(language, tags) = ${asked}`,
      );
    return {
      added: this.#number(
        `SELECT count(*) AS n FROM draft.quotes AS new
          WHERE NOT EXISTS (SELECT 1 FROM previous.quotes WHERE id = new.id)`,
      ),
      changed: this.#number(
        `SELECT count(*) AS n FROM draft.quotes AS new JOIN previous.quotes AS old USING (id)
          WHERE (new.text, new.author, new.likes, new.tags, new.image, new.language, new.served)
             IS NOT (old.text, old.author, old.likes, old.tags, old.image, old.language, old.served)`,
      ),
      removed: lost(1),
      deselected: lost(0),
    };
  }

  #names(sql: string, limit: number): Names {
    const total = this.#number(`SELECT count(*) AS n FROM (${sql})`);
    const rows = this.#work.all<{ name: string }>(`${sql} ORDER BY 1 LIMIT ?`, limit);
    return { total, first: rows.map(({ name }) => name) };
  }

  #number(sql: string): number {
    return this.#work.get<{ n: number }>(sql)?.n ?? 0;
  }
}
