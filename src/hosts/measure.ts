/** What a finished site really comes to, to be held against the limits of its host. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteMeasure } from "../contract/host.ts";
import { filesBelow } from "../files/walk.ts";

/** @throws {DiskError} when the folder cannot be read */
export function measureSite(outDir: string): SiteMeasure {
  const inFolder = new Map<string, number>();
  let files = 0;
  let bytes = 0;
  let largestFile = 0;
  for (const file of filesBelow(outDir, { links: "files" })) {
    const { size } = statSync(join(outDir, file));
    files++;
    bytes += size;
    largestFile = Math.max(largestFile, size);
    const folder = dirname(file);
    if (!inFolder.has(folder)) seen(folder, inFolder);
    inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1);
  }
  // The output folder itself is none of the site's.
  const folders = inFolder.size - (inFolder.has(".") ? 1 : 0);
  let mostFiles = 0;
  for (const count of inFolder.values()) mostFiles = Math.max(mostFiles, count);
  return { files, folders, bytes, largestFile, mostFiles };
}

/** A folder of folders alone counts too. */
function seen(folder: string, inFolder: Map<string, number>): void {
  for (let at = folder; at !== "." && !inFolder.has(at); at = dirname(at)) inFolder.set(at, 0);
}
