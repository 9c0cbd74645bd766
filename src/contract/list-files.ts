/** Walks a finished site. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../contract/errors.ts";

/**
 * Every file below a folder, by its path with slashes, folders in the order of their names. A link counts as a file where
 * it leads to one; a folder behind a link is somebody else's.
 */
export function* filesOf(root: string, folder = ""): Generator<string> {
  const entries = list(join(root, folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) yield* filesOf(root, `${path}/`);
    else if (entry.isFile() || leadsToFile(join(root, path))) yield path;
  }
}

function leadsToFile(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false })?.isFile() ?? false;
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new DiskError(`Cannot read ${folder}: ${reason}`, { cause: error });
  }
}
