/** Files that no longer belong into the output folder. */
import { readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** Removes a file, and the folders above it that it leaves empty. One that is gone already is fine. */
export function removeFile(outDir: string, path: string): void {
  attempt(() => unlinkSync(join(outDir, path)));
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (!attempt(() => rmdirSync(join(outDir, folder)))) return;
  }
}

/** @returns false when it could not be done because of what is, or is not, there */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"].includes(code)) return false;
    throw error;
  }
}

/**
 * Pages and bundled assets in a folder that nothing is known about: what an earlier build may have left.
 *
 * Other files are other programs' business.
 */
export function* strangers(outDir: string, known: (path: string) => boolean): Generator<string> {
  if (isEmpty(outDir)) return;
  const entries = readdirSync(outDir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
      .slice(outDir.length + 1)
      .split(sep)
      .join("/");
    const ours = path.endsWith(".html") || path.startsWith("_astro/");
    if (!entry.isDirectory() && ours && !known(path)) yield path;
  }
}

/** Whether a folder holds nothing, or is not there at all. */
export function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}
