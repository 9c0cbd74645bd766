/**
 * Builds the catalogue: every listing page of a snapshot with its members, in order, and a digest of what it shows.
 *
 * It is written under another name and renamed when it is whole, so a killed build leaves the old one or none. Nothing
 * in it is precious: whoever deletes it loses the seconds it takes to build it again.
 */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { compose } from "./compose/compose.ts";
import { gatherAgain } from "./gather/again.ts";
import { gather } from "./gather/gather.ts";
import { keepGathered } from "./gather/kept.ts";
import { leaveOutThin } from "./gather/thin.ts";
import { membership } from "./compose/membership.ts";
import type { BuildOptions } from "./options.ts";
import { CATALOGUE_VERSION, INDEX, SCHEMA } from "./schema.ts";
import { TermWriter } from "./compose/write.ts";
import { DiskError } from "../contract/errors.ts";
import type { Tag } from "../contract/tag.ts";
import type { ListingKind, Term } from "../contract/term.ts";
import { Database } from "../sqlite/database.ts";
import { flushCache } from "../sqlite/flush.ts";

/** One row for each card would double what building takes; one for all would be read for each. */
const CARDS_A_ROW = 64;

/** The most liked quotes that `top` can give. */
const TOP = 500;

/** @throws {DiskError} when the snapshot cannot be read or the catalogue not be written */
export function buildCatalogue(options: BuildOptions): void {
  discardStrays(options.path);
  const unfinished = `${options.path}.new-${process.pid}-${threadId}`;
  const snapshot = new Database(options.snapshotPath, { immutable: true });
  try {
    const db = new Database(unfinished);
    try {
      // Nobody reads it yet and a torn one is thrown away: no journal, no waiting for the disk.
      db.exec(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE",
      );
      db.exec(`${SCHEMA}; PRAGMA user_version = ${CATALOGUE_VERSION}`);
      db.transaction(() => fill(db, snapshot, options));
    } finally {
      db.close();
    }
  } finally {
    snapshot.close();
  }
  publish(unfinished, options.path);
}

function fill(db: Database, snapshot: Database, options: BuildOptions): void {
  const { before } = options;
  const rows = snapshot.get<{ n: number }>("SELECT count(*) AS n FROM quotes")?.n ?? 0;
  const everything =
    (before && gatherAgain(snapshot, rows, before, options)) ?? gather(snapshot, rows, options);
  keepGathered(db, { gathered: everything, rows });
  const tagList = snapshot.all<Tag>("SELECT name, slug FROM tags ORDER BY name");
  const plan = (kind: ListingKind): Term[] =>
    options.planTerms(kind, everything.names[kind].spellings(), tagList);
  const { gathered, tags } = leaveOutThin(everything, plan("tag"), options.minTagQuotes);
  const members = membership(gathered, {
    tag: tags,
    author: plan("author"),
    language: plan("language"),
  });
  const { kinds, cards, permalinks } = compose(gathered, members, options);
  const writer = new TermWriter(db);
  for (const kind of kinds) writer.kind(kind);
  for (let from = 0; from < gathered.quotes; from += CARDS_A_ROW) {
    const ids = gathered.ids.slice(from, from + CARDS_A_ROW);
    const to = from + ids.length;
    db.run(
      "INSERT INTO cards VALUES (?, ?, ?, ?)",
      ids[0] ?? 0,
      new Uint8Array(ids.buffer),
      cards.range(from, to),
      new Uint8Array(permalinks.slice(from, to).buffer),
    );
  }
  const fact = (key: string, value: unknown): void => {
    db.run("INSERT INTO facts VALUES (?, ?)", key, JSON.stringify(value));
  };
  fact("key", options.key);
  fact("quotes", gathered.quotes);
  fact("merged", writer.merged);
  fact(
    "top",
    Array.from(members.order.subarray(0, TOP), (place) => gathered.ids[place] ?? 0),
  );
  db.exec(INDEX);
}

function publish(from: string, to: string): void {
  try {
    flushCache(from);
    renameSync(from, to);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DiskError(`Cannot write ${to}: ${reason}`, { cause: error });
  }
}

/** What builds left that were killed: those of processes that no longer live, with SQLite's companions of each. */
function discardStrays(path: string): void {
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
    // EPERM: it lives and is somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
