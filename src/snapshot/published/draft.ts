/**
 * Builds the next snapshot in a draft file.
 *
 * The draft of a killed run is a stray file that the next start removes; so it needs neither a journal nor fsync.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CollectionChange, CuratedFact } from "../../contract/facts.ts";
import { UNFINISHED } from "../../files/disk.ts";
import type { Database } from "../../sqlite/database.ts";
import { attachPrevious, upgradeTables } from "../format.ts";
import { columnsOf } from "../row.ts";
import { defineSelected, type IsSelected } from "./gap.ts";
import { tidySnapshots } from "./pointer.ts";

/** SQL conditions for the quotes to keep, of those in the previous snapshot that this harvest did not see. */
const KEPT = {
  /** All: the harvest is not complete. */
  keep: "1",
  /** Those that pass the selection. */
  "keep selected": "selected(language, tags) = 1",
  /** All but those known to be gone, and those that no longer pass the selection. */
  "remove gone":
    "selected(language, tags) = 1 AND NOT EXISTS (SELECT 1 FROM main.gone WHERE id = old.id)",
  /** Only those whose records could not be read: they exist. */
  "remove all": "id IN (SELECT pk FROM main.quarantine WHERE pk IS NOT NULL)",
};

/** What to do with quotes of the previous snapshot that this harvest did not see. */
export type Missing = keyof typeof KEPT;

/** Days for which a quote counts as new. */
const NEW_DAYS = 90;

/** How much of the curated list was read. */
export interface CuratedRead {
  readonly seen: "all" | "some" | "none";
  /** Quotes that may cease to be curated in one run; with more, the list counts as not read to its end. */
  readonly mayLose: number;
}

/**
 * Keys in windows of curated lists: the third part of a filter's name says whether its list is curated. Probes do not count:
 * they are single answers, and records do not show whether a service heeded the filter.
 */
const CURATED = `SELECT DISTINCT key.value AS id
  FROM main.windows AS window, json_each(window.body, '$.pks') AS key
  WHERE json_extract(window.filter, '$[2]') = 1 AND kind IN ('walk', 'repair', 'slice')`;

/** Counts the quotes in the windows of this run's curated lists. */
export function countCurated(work: Database): number {
  return work.number(`SELECT count(*) AS n FROM (${CURATED})`);
}

/** The first names of a list, and how many it has. */
export interface Names {
  readonly total: number;
  readonly first: readonly string[];
}

export class Draft {
  readonly path: string;
  readonly #work: Database;
  readonly #previous: Disposable;
  #isOpen = true;

  /**
   * @param previous path of the previous snapshot; null when there is none
   * @param isSelected whether a quote of that snapshot still passes the selection
   */
  constructor(work: Database, stateDir: string, previous: string | null, isSelected: IsSelected) {
    this.path = join(tidySnapshots(stateDir), `draft${UNFINISHED}`);
    this.#work = work;
    defineSelected(work, isSelected);
    work.run("ATTACH ? AS draft", this.path);
    work.exec("PRAGMA draft.journal_mode = OFF; PRAGMA draft.synchronous = OFF");
    upgradeTables(work, "draft");
    this.#previous = attachPrevious(work, previous);
  }

  /**
   * Copies the quotes of this harvest, and those to keep of the previous snapshot.
   *
   * @param since time to store for quotes found gone and for new quotes, ISO 8601
   * @param wasWhole whether the previous snapshot is complete: only then is a quote new that it lacks
   */
  fill(missing: Missing, since: string, wasWhole: boolean): CollectionChange {
    return this.#work.transaction(() => {
      // With `SELECT *`, SQLite copies the records of a table with the same schema unchanged, in a third of the time.
      this.#work.run("INSERT INTO draft.quotes SELECT * FROM main.quotes");
      this.#work.run(
        `INSERT INTO draft.quotes SELECT ${columnsOf()} FROM previous_quotes AS old
          WHERE CASE WHEN NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id)
            THEN ${KEPT[missing]} END`,
      );
      // Without a tag list of this harvest, the previous one is kept.
      const from = this.#work.get("SELECT 1 FROM main.tags LIMIT 1")
        ? "main.tags"
        : "previous_tags";
      this.#work.run(`INSERT INTO draft.tags SELECT name, slug FROM ${from} ORDER BY name`);
      this.#fillGone(since);
      this.#fillFirstSeen(since, wasWhole);
      return this.#countChanges();
    });
  }

  count(): number {
    return this.#work.number("SELECT count(*) AS n FROM draft.quotes");
  }

  languages(): Record<string, number> {
    return Object.fromEntries(
      this.#work.tuples<[string, number]>(
        "SELECT language, count(*) FROM draft.quotes GROUP BY language ORDER BY language",
      ),
    );
  }

  /** The distinct names of authors. */
  authors(): Iterable<string> {
    const sql = "SELECT DISTINCT author FROM draft.quotes WHERE author IS NOT NULL ORDER BY 1";
    return this.#work.column<string>(sql);
  }

  /** Lists tags of quotes that the tag list lacks, and tags of the list that no quote has; nothing without a list. */
  compareTags(limit: number): { readonly unlisted: Names; readonly unused: Names } {
    const names = (sql: string): Names => ({
      total: this.#work.number(`SELECT count(*) AS n FROM (${sql})`),
      first: this.#work.column<string>(`${sql} ORDER BY 1 LIMIT ?`, limit),
    });
    const lacking = `SELECT name FROM carried WHERE name NOT IN (SELECT name FROM draft.tags)
      AND EXISTS (SELECT 1 FROM draft.tags)`;
    // Many quotes have the same tags: each distinct array is parsed once.
    this.#work.exec(
      `CREATE TEMP TABLE carried AS SELECT DISTINCT tag.value AS name
         FROM (SELECT DISTINCT tags FROM draft.quotes) AS lists, json_each(lists.tags) AS tag`,
    );
    try {
      return {
        unlisted: names(lacking),
        unused: names("SELECT name FROM draft.tags WHERE name NOT IN (SELECT name FROM carried)"),
      };
    } finally {
      this.#work.exec("DROP TABLE carried");
    }
  }

  /**
   * Stores which quotes are curated; call it after `fill`. Only a list that was read to its end removes marks; a part of
   * it adds to the marks of the previous snapshot.
   *
   * @param before fact of the previous snapshot for the same selection; undefined when it has none
   * @param now ISO 8601
   * @returns the fact to store; undefined when nothing is known
   */
  fillCurated(
    { seen: read, mayLose }: CuratedRead,
    before: CuratedFact | undefined,
    now: string,
  ): CuratedFact | undefined {
    if (read !== "all" && before === undefined) return undefined;
    const lost = `SELECT count(*) AS n FROM previous_curated
      WHERE id IN (SELECT id FROM draft.quotes) AND id NOT IN (${CURATED})`;
    const isSudden = read === "all" && before !== undefined && this.#work.number(lost) > mayLose;
    const seen = isSudden ? "some" : read;
    const from = [
      ...(seen === "none" ? [] : [CURATED]),
      ...(seen === "all" ? [] : ["SELECT id FROM previous_curated"]),
    ].join(" UNION ");
    const quotes = this.#work.run(
      `INSERT INTO draft.curated SELECT id FROM (${from}) WHERE id IN (SELECT id FROM draft.quotes)`,
    );
    return { asOf: seen === "all" || before === undefined ? now : before.asOf, quotes };
  }

  /**
   * Names the draft's quotes and tag list; call it after `fill`.
   *
   * @param change what `fill` returned
   * @param before the name of those of the previous snapshot; null when there is none
   */
  contentName(change: CollectionChange, before: string | null): string {
    const isSame =
      before !== null &&
      Object.values(change).every((quotes) => quotes === 0) &&
      this.#hasSameTags();
    return isSame ? before : randomUUID();
  }

  #hasSameTags(): boolean {
    const [own, old] = ["draft.tags", "previous_tags"].map(
      (table) => `SELECT name, slug FROM ${table}`,
    );
    const differing = `SELECT * FROM (${own} EXCEPT ${old}) UNION ALL SELECT * FROM (${old} EXCEPT ${own})`;
    return this.#work.number(`SELECT count(*) AS n FROM (${differing})`) === 0;
  }

  writeFacts(facts: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(facts)) {
      this.#work.run("INSERT INTO draft.facts VALUES (?, ?)", key, JSON.stringify(value));
    }
  }

  /** Writes a compact copy of the draft. */
  copyTo(path: string): void {
    this.#work.run("VACUUM draft INTO ?", path);
  }

  /** Removes the draft; does nothing when called again. */
  discard(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#work.exec("DETACH draft");
    this.#previous[Symbol.dispose]();
    rmSync(this.path, { force: true });
  }

  #fillGone(since: string): void {
    this.#work.run(
      `INSERT INTO draft.gone SELECT id, since FROM previous_gone
        WHERE id NOT IN (SELECT id FROM draft.quotes)`,
    );
    this.#work.run(
      `INSERT INTO draft.gone SELECT id, ? FROM previous_quotes AS old
        WHERE CASE WHEN NOT EXISTS (SELECT 1 FROM draft.quotes WHERE id = old.id)
          THEN selected(language, tags) = 1 END
        ON CONFLICT DO NOTHING`,
      since,
    );
  }

  /** A quote that was gone and came back is not new. */
  #fillFirstSeen(since: string, wasWhole: boolean): void {
    this.#work.run(
      `INSERT INTO draft.first_seen SELECT id, since FROM previous_first_seen
        WHERE julianday(since) > julianday(?) - ${NEW_DAYS} AND id IN (SELECT id FROM draft.quotes)`,
      since,
    );
    if (!wasWhole) return;
    this.#work.run(
      `INSERT INTO draft.first_seen SELECT id, ? FROM draft.quotes AS new
        WHERE NOT EXISTS (SELECT 1 FROM previous_quotes WHERE id = new.id)
          AND NOT EXISTS (SELECT 1 FROM previous_gone WHERE id = new.id)`,
      since,
    );
  }

  #countChanges(): CollectionChange {
    // Materialised, so that `selected` is called only for quotes that are lost.
    const [added = 0, changed = 0, removed = 0, deselected = 0] =
      this.#work.tuple<number[]>(
        `WITH lost AS MATERIALIZED (
           SELECT selected(language, tags) = 1 AS stays FROM previous_quotes AS old
            WHERE NOT EXISTS (SELECT 1 FROM draft.quotes WHERE id = old.id))
         SELECT
           (SELECT count(*) FROM draft.quotes AS new
             WHERE NOT EXISTS (SELECT 1 FROM previous_quotes WHERE id = new.id)),
           (SELECT count(*) FROM draft.quotes AS new JOIN previous_quotes AS old USING (id)
             WHERE (${columnsOf("new")}) IS NOT (${columnsOf("old")})),
           (SELECT count(*) FROM lost WHERE stays),
           (SELECT count(*) FROM lost WHERE NOT stays)`,
      ) ?? [];
    return { added, changed, removed, deselected };
  }
}
