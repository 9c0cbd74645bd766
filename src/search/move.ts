/** Replaces an old index by a new one, file by file; files that are the same are not touched. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomicWrite } from "../files/disk.ts";
import type { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";

/** Pagefind's ready-made interfaces and its worker: the search page needs none of them. */
const UNUSED = /^pagefind-(?:.+-ui|ui|highlight|worker)\./;

const ENTRY = "pagefind-entry.json";

/** Every file below a folder with its size in bytes, by name; empty where there is no folder. */
export function listed(folder: string): Map<string, number> {
  if (!existsSync(folder)) return new Map();
  const files = [...filesBelow(folder)].sort();
  return new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
}

/**
 * @param to folder below the root of `folders`
 * @returns how many files were written or removed
 * @throws {DiskError} when a folder is a link, or a file cannot be written
 */
export function moveInto(from: string, folders: Folders, to: string): number {
  const wanted = [...listed(from)].filter(([name]) => !UNUSED.test(name));
  const there = listed(join(folders.root, to));
  let changed = 0;
  // Parts first: the entry, which names them, comes when they are all there.
  for (const [name, size] of wanted.sort(([a], [b]) => Number(a === ENTRY) - Number(b === ENTRY))) {
    const file = `${to}/${name}`;
    const [source, target] = [join(from, name), join(folders.root, file)];
    if (there.get(name) === size && readFileSync(source).equals(readFileSync(target))) continue;
    folders.make(dirname(file));
    atomicWrite(target, readFileSync(source));
    changed++;
  }
  const kept = new Set(wanted.map(([name]) => name));
  for (const name of there.keys()) {
    if (!kept.has(name) && folders.removeFile(`${to}/${name}`)) changed++;
  }
  return changed;
}
