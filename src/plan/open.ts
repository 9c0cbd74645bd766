/**
 * Opens the plan of a snapshot and of the settings, after making it where the file belongs to another snapshot or other settings.
 *
 * It is made under another name and renamed when it is whole, so a killed run leaves the old one or none. Deleting it
 * costs the seconds that it takes to make it again.
 */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { DiskError } from "../contract/errors.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import { Database } from "../sqlite/database.ts";
import { flushCache } from "../sqlite/flush.ts";
import { AUTHORS_PER_PAGE, fillPlan, type PlanOptions } from "./fill.ts";
import { Plan } from "./plan.ts";
import { PLAN_VERSION, SCHEMA } from "./schema.ts";

/**
 * @param picturesKey changes whenever an answer of `pictureOf` may
 * @throws {DiskError} when the plan cannot be written
 */
export function openPlan(
  stateDir: string,
  snapshot: PublishedSnapshot,
  options: PlanOptions,
  picturesKey: string,
): Plan {
  const path = join(stateDir, "plan.sqlite");
  const { perPage, quotePages, minTagQuotes, hidden, script } = options;
  const key = JSON.stringify([
    PLAN_VERSION,
    snapshot.id,
    perPage,
    quotePages,
    AUTHORS_PER_PAGE,
    minTagQuotes,
    hidden,
    script,
    picturesKey,
  ]);
  const kept = openKept(path, key);
  if (kept !== null) return kept;
  make(path, key, snapshot, options);
  return new Plan(path);
}

/** Null where the file is missing, damaged or of something else. */
function openKept(path: string, key: string): Plan | null {
  let plan: Plan | null = null;
  try {
    plan = new Plan(path);
    if (plan.key === key) return plan;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  plan?.close();
  return null;
}

function make(path: string, key: string, snapshot: PublishedSnapshot, options: PlanOptions): void {
  removeStrays(path);
  const unfinished = `${path}.new-${process.pid}-${threadId}`;
  const db = new Database(unfinished);
  try {
    // A file that is thrown away when it is torn needs no journal and no waiting for the disk.
    db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    db.exec(SCHEMA);
    db.transaction(() => {
      fillPlan(db, snapshot, options);
      db.run("INSERT INTO facts VALUES ('key', ?)", JSON.stringify(key));
    });
  } finally {
    db.close();
  }
  try {
    flushCache(unfinished);
    renameSync(unfinished, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DiskError(`Cannot write ${path}: ${reason}`, { cause: error });
  }
}

/** Removes what killed runs left: the unfinished files of processes that no longer live. */
function removeStrays(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.new-`)) continue;
    const pid = Number(/\.new-(\d+)-/.exec(name)?.[1] ?? 0);
    if (!isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
