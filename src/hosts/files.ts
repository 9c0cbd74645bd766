/**
 * Writes the files of the host into the finished site: writes those that differ, removes generated ones that are not needed any
 * more, and never changes a file that it did not write.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomicWrite } from "../files/atomic-write.ts";
import { asDiskError } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";
import { isMarked, MARKED_FILES } from "./mark.ts";

export interface Told {
  /** Digests by name, to be handed in at the next build. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that were written or removed. */
  readonly changed: number;
  /** Names of the site's own files, which are kept. */
  readonly refused: readonly string[];
}

export interface TellOptions {
  readonly outDir: string;
  /** Texts by name, below the output folder. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Digests of what the last build wrote. */
  readonly before: ReadonlyMap<string, string>;
  /** Whether `public/` has a file of this name. */
  readonly isPublic: (name: string) => boolean;
}

/** @throws {DiskError} when a file cannot be written */
export function tell({ outDir, wanted, before, isPublic }: TellOptions): Told {
  const files = new Map<string, string>();
  const refused: string[] = [];
  const folders = new Folders(outDir);
  let changed = 0;
  for (const [name, text] of wanted) {
    const there = read(join(outDir, name));
    const digest = digestOf(text);
    if (isPublic(name) || isPageOfOthers(name, there, [digest, before.get(name)])) {
      refused.push(name);
      continue;
    }
    files.set(name, digest);
    if (there === text) continue;
    folders.make(dirname(name));
    atomicWrite(join(outDir, name), text);
    changed++;
  }
  for (const [name, digest] of before) {
    if (files.has(name) || isPublic(name)) continue;
    const there = read(join(outDir, name));
    if (there === null || digestOf(there) !== digest) continue;
    folders.removeFile(name);
    changed++;
  }
  // Of a host before this one, where the state was lost in between.
  for (const name of MARKED_FILES) {
    if (files.has(name) || before.has(name) || isPublic(name)) continue;
    const there = read(join(outDir, name));
    if (there === null || !isMarked(there)) continue;
    folders.removeFile(name);
    changed++;
  }
  return { files, changed, refused };
}

/** A page that is there and that we did not write is the site's, whatever the history says. */
function isPageOfOthers(
  name: string,
  there: string | null,
  ours: readonly (string | undefined)[],
): boolean {
  return name.endsWith(".html") && there !== null && !ours.includes(digestOf(there));
}

const digestOf = (text: string): string => hash("sha256", text, "hex");

/** Null where there is no such file. */
function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw asDiskError("read", path, error);
  }
}
