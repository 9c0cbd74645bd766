/** What a bundle comes with besides pages: style sheets, scripts, fonts, `public/`. Copied where it differs. */
import { constants, copyFileSync, lstatSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Folders } from "../files/folders.ts";
import { filesBelow } from "../files/walk.ts";
import type { Entry, WrittenFile } from "./ledger/ledger.ts";

/** Names of all asset files, from their folder, with slashes. */
export function assetFiles(folder: string): string[] {
  return [...filesBelow(folder)].sort();
}

/**
 * Puts one asset into the output folder, unless it is there already.
 *
 * @param before what was known of it: one that was lost keeps its date
 */
export function copyAsset(
  from: string,
  folders: Folders,
  path: string,
  key: string,
  before?: Entry,
): WrittenFile {
  const source = join(from, path);
  const target = join(folders.root, path);
  const bytes = readFileSync(source);
  const there = lstatSync(target, { throwIfNoEntry: false });
  const same =
    there?.isFile() === true && there.size === bytes.length && bytes.equals(readFileSync(target));
  if (!same) {
    if (there !== undefined) rmSync(target, { recursive: true });
    folders.make(dirname(path));
    copyFileSync(source, target, constants.COPYFILE_EXCL);
    if (before?.key === key) utimesSync(target, before.mtime, before.mtime);
  }
  const mtime = Math.floor(lstatSync(target).mtimeMs / 1_000);
  return { path, key, size: bytes.length, mtime, written: !same, recipe: null };
}
