/** Lists and measures the files below a folder. A folder behind a link is never entered. */
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from "node:fs";
import { join, dirname } from "node:path";
import { onDisk } from "./disk.ts";
import type { SiteMeasure } from "../contract/host.ts";

export interface WalkOptions {
  /**
   * Links to list: "files" for links to files, which a host may follow when it copies the folder; "all" for every link.
   * Default none.
   */
  readonly links?: "none" | "files" | "all";
  /** Whether to enter a folder, by its path with slashes. Default every folder. */
  readonly enter?: (folder: string) => boolean;
}

/**
 * Lists every file below a folder by its relative path, with slashes, ordered by name.
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
  return links === "all" || (statOf(path)?.isFile() ?? false);
}

/** Undefined where nothing has the path, or a link is broken. */
export function statOf(path: string): Stats | undefined {
  return onDisk("read", path, () => statSync(path, { throwIfNoEntry: false }));
}

/** Size and times of files, by path; of a link its own, not those of its target. */
export type ListedFiles = ReadonlyMap<string, Stats>;

/**
 * Lists the files of a finished site; one list serves both the measures and the audit.
 *
 * @throws {DiskError} when the folder cannot be read
 */
export function listSite(outDir: string): Map<string, Stats> {
  const files = new Map<string, Stats>();
  for (const file of filesBelow(outDir, { links: "files" })) {
    const path = `${outDir}/${file}`;
    files.set(
      file,
      onDisk("read", path, () => lstatSync(path)),
    );
  }
  return files;
}

/**
 * Measures a finished site, for its report and for comparison with the limits of its host.
 *
 * @param excluded names of files that do not count
 * @throws {DiskError} when the folder cannot be read
 */
export function measureSite(
  outDir: string,
  excluded: ReadonlySet<string> = new Set(),
  listed: ListedFiles = listSite(outDir),
): SiteMeasure {
  const inFolder = new Map<string, number>([[".", 0]]);
  let [files, bytes, largestFile] = [0, 0, 0];
  for (const [file, stats] of listed) {
    if (excluded.has(file)) continue;
    const path = `${outDir}/${file}`;
    const { size } = stats.isSymbolicLink() ? onDisk("read", path, () => statSync(path)) : stats;
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
