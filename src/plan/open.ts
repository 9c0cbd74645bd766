/**
 * Opens the plan of a snapshot, after writing it if the stored one is of another snapshot or of other settings.
 *
 * A plan is written under a temporary name and renamed, so a killed run leaves the old one or none. It is not synced to
 * the disk: a damaged plan is written again within seconds.
 */
import { hash } from "node:crypto";
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { DiskError } from "../contract/errors.ts";
import { digestFile } from "../files/digest-file.ts";
import { atomicWrite, isStray, onDisk } from "../files/disk.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";
import { Database } from "../sqlite/database.ts";
import type { PlanSettings } from "./draft.ts";
import { AUTHORS_PER_PAGE, fillPlan } from "./fill.ts";
import { Plan, type Origin } from "./plan.ts";
import { SCHEMA } from "./schema.ts";
import { planVersion } from "./version.ts";

interface Pictures {
  /** Changes whenever a result of `picture()` may change. */
  readonly key: string;
  /** The picture to show for an address; null for none. */
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
  const { corrections, authors: facts, ...others } = settings;
  // JSON has no maps.
  const corrected = Object.entries(corrections).map(([part, value]) => [
    ...[part, ...(value as Iterable<unknown>)],
  ]);
  const about = JSON.stringify([
    ...[planVersion(), AUTHORS_PER_PAGE, others, pictures?.key ?? ""],
    hash("sha256", JSON.stringify([corrected, [...facts]])),
  ]);
  const key = `${snapshot.id} ${about}`;
  const stored = openStored(path, "key", key);
  if (stored !== null) return stored;
  const origin = { key, content: `${snapshot.content()} ${about}` };
  replacePlan(path, origin, (db) =>
    fillPlan(db, snapshot, settings, (image) => {
      const picture = pictures?.picture(image) ?? null;
      return picture === null ? null : JSON.stringify(picture);
    }),
  );
  return new Plan(path);
}

/** The SHA-256 of the plan, in hexadecimal: what SQLite finds sound may have another letter in an address. */
const digestOf = (path: string): string => path.replace(/\.sqlite$/, ".sha256");

/** Inodes of plans that this thread checked: a check takes 0.7 ms a megabyte. */
const sound = new Set<bigint>();

/** Null if the file is missing, damaged or of another origin. */
function openStored(path: string, name: keyof Origin, value: string): Plan | null {
  let plan: Plan | null = null;
  try {
    plan = new Plan(path);
    // NTFS numbers files beyond 2^53.
    const { ino } = statSync(path, { bigint: true });
    if (plan.origin(name) === value && (sound.has(ino) || isSound(path))) {
      sound.add(ino);
      return plan;
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  plan?.close();
  return null;
}

function isSound(path: string): boolean {
  const kept = digestOf(path);
  const digest = onDisk("read", kept, () => readFileSync(kept, "latin1"));
  return digest === onDisk("read", path, () => digestFile(path));
}

function replacePlan(path: string, origin: Origin, fill: (db: Database) => void): void {
  removeStrays(path);
  const unfinished = `${path}.new-${process.pid}-${threadId}`;
  // Most nights a snapshot has the same content as the one before.
  const same = openStored(path, "content", origin.content);
  same?.close();
  if (same !== null) copyFileSync(path, unfinished);
  {
    using db = new Database(unfinished);
    // A damaged plan is written again, so it needs neither a journal nor a sync.
    db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    if (same === null) db.exec(SCHEMA);
    db.transaction(() => {
      if (same === null) fill(db);
      for (const [name, value] of Object.entries(origin)) {
        db.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, JSON.stringify(value));
      }
    });
  }
  const digest = onDisk("read", unfinished, () => digestFile(unfinished));
  onDisk("write", path, () => renameSync(unfinished, path));
  // Where the run is killed between the two, the next one makes the plan again.
  atomicWrite(digestOf(path), digest);
}

/** Removes unfinished files of killed runs. */
function removeStrays(path: string): void {
  for (const stray of globSync(`${basename(path)}.new-*`, { cwd: dirname(path) })) {
    const file = join(dirname(path), stray);
    if (isStray(file)) rmSync(file, { force: true });
  }
}
