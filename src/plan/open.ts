/**
 * Opens the plan of a snapshot and of the settings, after making it where the file belongs to another snapshot or other settings.
 *
 * It is made under another name and renamed when it is whole, so a killed run leaves the old one or none. Deleting it
 * costs the seconds that it takes to make it again, and so does a power cut that damages it: nothing waits for the disk.
 */
import { copyFileSync, globSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { DiskError } from "../contract/errors.ts";
import { onDisk } from "../files/disk.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import { Database } from "../sqlite/database.ts";
import type { PlanSettings } from "./draft.ts";
import { AUTHORS_PER_PAGE, fillPlan } from "./fill.ts";
import { Plan, type Origin } from "./plan.ts";
import { PLAN_VERSION, SCHEMA } from "./schema.ts";

const DAY_MS = 86_400_000;

/** The pictures that cards show. */
interface Pictures {
  /** Changes whenever an answer of `picture` may. */
  readonly key: string;
  /** What is shown for an address; null for nothing. */
  picture(image: string): object | null;
}

/** @throws {DiskError} when the plan cannot be written */
export function openPlan(
  stateDir: string,
  snapshot: PublishedSnapshot,
  settings: PlanSettings,
  pictures?: Pictures,
): Plan {
  const path = join(stateDir, "plan.sqlite");
  const about = JSON.stringify([PLAN_VERSION, AUTHORS_PER_PAGE, settings, pictures?.key ?? ""]);
  const key = `${snapshot.id} ${about}`;
  const kept = openKept(path, "key", key);
  if (kept !== null) return kept;
  const origin = { key, content: `${snapshot.contentDigest()} ${about}` };
  replacePlan(path, origin, (db) =>
    fillPlan(db, snapshot, settings, (image) => {
      const picture = pictures?.picture(image) ?? null;
      return picture === null ? null : JSON.stringify(picture);
    }),
  );
  return new Plan(path);
}

/** Inodes of the files that this thread found sound: to read one whole takes 70 ms for 190,000 quotes. */
const sound = new Set<number>();

/** Null where the file is missing, damaged or of something else. */
function openKept(path: string, name: keyof Origin, value: string): Plan | null {
  let plan: Plan | null = null;
  try {
    plan = new Plan(path);
    const { ino } = statSync(path);
    if (plan.origin(name) === value && (sound.has(ino) || plan.isSound())) {
      sound.add(ino);
      return plan;
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  plan?.close();
  return null;
}

function replacePlan(path: string, origin: Origin, fill: (db: Database) => void): void {
  removeStrays(path);
  const unfinished = `${path}.new-${process.pid}-${threadId}`;
  // Most snapshots of a quiet collection hold the same as the one before.
  const same = openKept(path, "content", origin.content);
  same?.close();
  if (same !== null) copyFileSync(path, unfinished);
  {
    using db = new Database(unfinished);
    // A file that is thrown away when it is torn needs no journal and no waiting for the disk.
    db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    if (same === null) db.exec(SCHEMA);
    db.transaction(() => {
      if (same === null) fill(db);
      for (const [name, value] of Object.entries(origin)) {
        db.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, JSON.stringify(value));
      }
    });
  }
  onDisk("write", path, () => renameSync(unfinished, path));
}

/** Removes the unfinished files that killed runs left; one that is being written is younger. */
function removeStrays(path: string): void {
  for (const stray of globSync(`${basename(path)}.new-*`, { cwd: dirname(path) })) {
    const file = join(dirname(path), stray);
    const { mtimeMs = Infinity } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - DAY_MS) rmSync(file, { force: true });
  }
}
