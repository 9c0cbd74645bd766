/**
 * From the working database to a published snapshot (harvest.md §7): a draft, VACUUM INTO a temporary name, an
 * integrity check, fsync, rename, and then the pointer. Killed anywhere before the pointer, nothing has happened.
 */
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../../contract/errors.ts";
import type { CollectionChange } from "../../contract/harvest-result.ts";
import { Database } from "../../sqlite/database.ts";
import { QUOTE_COLUMNS } from "../row.ts";
import {
  onDisk,
  snapshotId,
  snapshotPath,
  syncFolder,
  tidySnapshots,
  UNFINISHED,
  writePointer,
} from "./pointer.ts";
import { publishedSchema } from "./schema.ts";

/** What becomes of the quotes that stand in the snapshot before and were not seen now. */
export type Missing =
  /** The harvest was not complete: they stay. */
  | "keep"
  /** It was: those known to be gone are removed, and so are those that are no longer selected. */
  | "remove";

export interface Draft {
  readonly change: CollectionChange;
  readonly quotes: number;
  readonly languages: Readonly<Record<string, number>>;
  /** Writes the facts and publishes; gives the new snapshot's id. */
  publish(facts: Readonly<Record<string, unknown>>, now: number): string;
  discard(): void;
}

/**
 * Puts together what would be published, for a look at it before it is.
 *
 * @param previous path of the snapshot before; null when there is none
 */
export function makeDraft(
  work: Database,
  stateDir: string,
  previous: string | null,
  missing: Missing,
): Draft {
  const folder = tidySnapshots(stateDir);
  const path = join(folder, `draft${UNFINISHED}`);
  work.exec(`ATTACH ${quoted(path)} AS draft`);
  const drafting = new Drafting(work, previous);
  try {
    const change = drafting.fill(missing);
    return {
      change,
      quotes: drafting.count(),
      languages: drafting.languages(),
      publish(facts, now) {
        drafting.writeFacts(facts);
        const target = join(folder, `next${UNFINISHED}`);
        work.exec(`VACUUM draft INTO ${quoted(target)}`);
        drafting.close();
        rmSync(path, { force: true });
        return commit(stateDir, target, now);
      },
      discard() {
        drafting.close();
        rmSync(path, { force: true });
      },
    };
  } catch (error) {
    drafting.close();
    throw error;
  }
}

function commit(stateDir: string, target: string, now: number): string {
  check(target);
  const digest = onDisk(target, () => sealed(target));
  const id = snapshotId(now, digest);
  const path = snapshotPath(stateDir, id);
  onDisk(path, () => {
    renameSync(target, path);
    syncFolder(join(path, ".."));
  });
  writePointer(stateDir, id);
  return id;
}

function check(path: string): void {
  const database = new Database(path, { readOnly: true });
  try {
    const verdict = database.get<{ integrity_check: string }>("PRAGMA integrity_check");
    if (verdict?.integrity_check !== "ok") {
      throw new DiskError(`Cannot publish ${path}: ${verdict?.integrity_check ?? "no verdict"}`);
    }
  } finally {
    database.close();
  }
}

/** Forces the file to the disk and gives the digest of its bytes. */
function sealed(path: string): string {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, size));
    }
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}

class Drafting {
  readonly #work: Database;
  readonly #previous: boolean;

  constructor(work: Database, previous: string | null) {
    this.#work = work;
    this.#previous = previous !== null;
    // A draft is never read after a crash, so it needs neither a journal nor the disk.
    work.exec("PRAGMA draft.journal_mode = OFF; PRAGMA draft.synchronous = OFF");
    if (previous !== null) work.exec(`ATTACH ${quoted(previous)} AS previous`);
    work.exec(publishedSchema("draft"));
  }

  fill(missing: Missing): CollectionChange {
    const work = this.#work;
    return work.transaction(() => {
      const kept = !this.#previous
        ? ""
        : missing === "keep"
          ? `UNION ALL SELECT ${QUOTE_COLUMNS} FROM previous.quotes AS old
               WHERE NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id)`
          : "";
      work.run(
        `INSERT INTO draft.quotes (${QUOTE_COLUMNS})
           SELECT ${QUOTE_COLUMNS} FROM main.quotes ${kept} ORDER BY id`,
      );
      const listed = this.#number("SELECT count(*) AS n FROM main.tags") > 0 || !this.#previous;
      const tags = listed ? "main" : "previous";
      work.run(`INSERT INTO draft.tags SELECT name, slug FROM ${tags}.tags ORDER BY name`);
      return this.#compare();
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

  writeFacts(facts: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(facts)) {
      this.#work.run(
        "INSERT INTO draft.facts (key, value) VALUES (?, ?)",
        key,
        JSON.stringify(value),
      );
    }
  }

  close(): void {
    this.#work.exec("DETACH draft");
    if (this.#previous) this.#work.exec("DETACH previous");
  }

  #compare(): CollectionChange {
    if (!this.#previous) return { added: this.count(), changed: 0, removed: 0, deselected: 0 };
    return {
      added: this.#number(
        "SELECT count(*) AS n FROM draft.quotes AS new WHERE NOT EXISTS (SELECT 1 FROM previous.quotes WHERE id = new.id)",
      ),
      changed: this.#number(
        `SELECT count(*) AS n FROM draft.quotes AS new JOIN previous.quotes AS old USING (id)
           WHERE (new.text, new.author, new.likes, new.tags, new.image, new.language, new.served)
              IS NOT (old.text, old.author, old.likes, old.tags, old.image, old.language, old.served)`,
      ),
      removed: this.#number(
        "SELECT count(*) AS n FROM previous.quotes AS old WHERE NOT EXISTS (SELECT 1 FROM draft.quotes WHERE id = old.id)",
      ),
      deselected: 0,
    };
  }

  #number(sql: string): number {
    return this.#work.get<{ n: number }>(sql)?.n ?? 0;
  }
}

/** A path as an SQL text literal: statements that name files take no bound values. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
