/** What a finished site comes to, for its report and for comparison with the limits of its host. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteMeasure } from "../contract/host.ts";
import { onDisk } from "./disk.ts";
import { filesBelow } from "./walk.ts";

/**
 * @param but names of files that do not count
 * @throws {DiskError} when the folder cannot be read
 */
export function measureSite(outDir: string, but: ReadonlySet<string> = new Set()): SiteMeasure {
  const inFolder = new Map<string, number>([[".", 0]]);
  let [files, bytes, largestFile] = [0, 0, 0];
  for (const file of filesBelow(outDir, { links: "files" })) {
    if (but.has(file)) continue;
    const path = join(outDir, file);
    const { size } = onDisk("read", path, () => statSync(path));
    files++;
    bytes += size;
    largestFile = Math.max(largestFile, size);
    const folder = dirname(file);
    // A folder that has only folders counts too.
    for (let at = folder; !inFolder.has(at); at = dirname(at)) inFolder.set(at, 0);
    inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1);
  }
  const mostFiles = inFolder.values().reduce((most, count) => Math.max(most, count), 0);
  return { files, folders: inFolder.size - 1, bytes, largestFile, mostFiles };
}
