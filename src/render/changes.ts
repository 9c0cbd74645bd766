/** The list a deploy or a cache purge works from: one line of JSON for each address added, changed or removed. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite } from "../files/atomic-write.ts";
import type { Change } from "./written-files.ts";

export type ChangeCounts = Readonly<Record<Change, number>>;

const INDEX = "index.html";

/** Characters gathered before they are written. */
const CHUNK = 1 << 16;

/** Writes `build-changes.ndjson`, whole or not at all. */
export function writeChanges(
  stateDir: string,
  changes: Iterable<readonly [file: string, change: Change]>,
): ChangeCounts {
  const target = join(stateDir, "build-changes.ndjson");
  const counts = { added: 0, changed: 0, removed: 0 };
  atomicWrite(target, (list) => {
    let lines = "";
    for (const [file, change] of changes) {
      lines += `${JSON.stringify({ change, path: addressOf(file) })}\n`;
      counts[change]++;
      if (lines.length > CHUNK) {
        writeSync(list, lines);
        lines = "";
      }
    }
    writeSync(list, lines);
  });
  return counts;
}

/** `tag/hope/index.html` is asked for as `/tag/hope/`. */
function addressOf(file: string): string {
  if (file === INDEX) return "/";
  return file.endsWith(`/${INDEX}`) ? `/${file.slice(0, -INDEX.length)}` : `/${file}`;
}
