/** What a bundle comes with besides pages: style sheets, scripts, fonts, `public/`. Copied where it differs. */
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Entry, WrittenFile } from "./ledger/ledger.ts";

/** Names of all asset files, from their folder, with slashes. */
export function assetFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .sort();
}

/**
 * Puts one asset into the output folder, unless it is there already.
 *
 * @param before what was known of it: one that was lost keeps its date
 */
export function copyAsset(
  from: string,
  outDir: string,
  path: string,
  key: string,
  before?: Entry,
): WrittenFile {
  const source = join(from, path);
  const target = join(outDir, path);
  const bytes = readFileSync(source);
  const there = lstatSync(target, { throwIfNoEntry: false });
  const same =
    there?.isFile() === true && there.size === bytes.length && bytes.equals(readFileSync(target));
  if (!same) {
    if (there !== undefined) rmSync(target, { recursive: true });
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    if (before?.key === key) utimesSync(target, before.mtime, before.mtime);
  }
  const mtime = Math.floor(lstatSync(target).mtimeMs / 1_000);
  return { path, key, size: bytes.length, mtime, written: !same, recipe: null };
}
