/** The list a deploy or a cache purge works from: one line of JSON for each address added, changed or removed. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite } from "../../files/atomic-write.ts";
import { CHANGE, type Change } from "./ledger.ts";

const WORDS: Readonly<Record<Change, string>> = {
  [CHANGE.none]: "unchanged",
  [CHANGE.added]: "added",
  [CHANGE.changed]: "changed",
  [CHANGE.removed]: "removed",
};

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

const INDEX = "index.html";

/** Characters gathered before they are written. */
const CHUNK = 1 << 16;

/** Writes `build-changes.ndjson`, whole or not at all. */
export function writeChanges(
  stateDir: string,
  changes: Iterable<readonly [path: string, change: Change]>,
): ChangeCounts {
  const target = join(stateDir, "build-changes.ndjson");
  const counts = { added: 0, changed: 0, removed: 0 };
  atomicWrite(target, (file) => {
    let lines = "";
    for (const [path, change] of changes) {
      lines += `{"change":"${WORDS[change]}","path":${JSON.stringify(addressOf(path))}}\n`;
      if (change === CHANGE.added) counts.added++;
      if (change === CHANGE.changed) counts.changed++;
      if (change === CHANGE.removed) counts.removed++;
      if (lines.length > CHUNK) {
        writeSync(file, lines);
        lines = "";
      }
    }
    writeSync(file, lines);
  });
  return counts;
}

/** `tag/hope/index.html` is asked for as `/tag/hope/`. */
function addressOf(path: string): string {
  if (path === INDEX) return "/";
  return path.endsWith(`/${INDEX}`) ? `/${path.slice(0, -INDEX.length)}` : `/${path}`;
}
