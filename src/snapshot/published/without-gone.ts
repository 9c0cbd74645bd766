/** A snapshot of before that is to stand again, without the quotes that were found gone since. */
import { constants, copyFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceFact } from "../../contract/harvest-result.ts";
import { UNFINISHED } from "../../files/atomic-write.ts";
import { onDisk } from "../../files/disk.ts";
import { Database } from "../../sqlite/database.ts";
import { tombstonesOf } from "../work/tombstones.ts";
import { snapshotPath } from "./pointer.ts";
import { adopt } from "./publish.ts";
import { openSnapshot } from "./read.ts";
import { quoted } from "./sql.ts";

/**
 * @param now milliseconds since the epoch
 * @returns the id of a snapshot without them: the same where it holds none
 */
export function withoutGone(stateDir: string, id: string, work: Database, now: number): string {
  const path = snapshotPath(stateDir, id);
  const gone = goneIn(path, id, work);
  if (gone.length === 0) return id;
  const copy = join(dirname(path), `draft${UNFINISHED}`);
  const target = join(dirname(path), `next${UNFINISHED}`);
  onDisk("write", copy, () => {
    rmSync(copy, { force: true });
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
  });
  const database = new Database(copy);
  try {
    const hasNew = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'first_seen'");
    const since = new Date(now).toISOString();
    database.transaction(() => {
      for (const quote of gone) {
        database.run("DELETE FROM quotes WHERE id = ?", quote);
        if (hasNew !== undefined) database.run("DELETE FROM first_seen WHERE id = ?", quote);
        database.run("INSERT INTO gone VALUES (?, ?) ON CONFLICT DO NOTHING", quote, since);
      }
    });
    // A compact copy that stands by itself, in which no page of the file still holds what was deleted.
    database.exec(`VACUUM INTO ${quoted(target)}`);
  } finally {
    database.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  }
  return adopt(target, stateDir, now);
}

function goneIn(path: string, id: string, work: Database): number[] {
  const snapshot = openSnapshot(path, id);
  try {
    const host = snapshot.fact<SourceFact>("source")?.host;
    if (host === undefined) return [];
    return tombstonesOf(work, host).filter((quote) => snapshot.quote(quote) !== undefined);
  } finally {
    snapshot.close();
  }
}
