/** Lists and measures the files below a folder. A folder behind a link is never entered. */
import { readdirSync, statSync, type Dirent } from "node:fs";
import { join, dirname } from "node:path";
import { onDisk } from "./disk.ts";
import type { SiteMeasure } from "../contract/host.ts";

export interface WalkOptions {
  /**
   * Which links are listed: "files" for those that lead to a file, as a host that copies the folder may follow them;
   * "all" for every link, wherever it leads. Default none.
   */
  readonly links?: "none" | "files" | "all";
  /** Whether a folder is entered, by its path with slashes. Default every folder. */
  readonly enter?: (folder: string) => boolean;
}

/**
 * Every file below a folder, by its path from there with slashes, in the order of the names.
 *
 * @throws {DiskError} when a folder cannot be read
 */
export function* filesBelow(
  root: string,
  options: WalkOptions = {},
  folder = "",
): Generator<string> {
  const at = join(root, folder);
  const entries = onDisk("read", at, () => readdirSync(at, { withFileTypes: true }));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) {
      if (options.enter?.(path) ?? true) yield* filesBelow(root, options, `${path}/`);
    } else if (entry.isFile() || isListed(entry, join(root, path), options.links)) yield path;
  }
}

function isListed(entry: Dirent, path: string, links: WalkOptions["links"] = "none"): boolean {
  if (links === "none" || !entry.isSymbolicLink()) return false;
  return links === "all" || (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}

/**
 * What a finished site comes to, for its report and for comparison with the limits of its host.
 *
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
