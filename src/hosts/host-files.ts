/**
 * Writes the files of the host into the finished site: writes those that differ, removes generated ones that are not needed any
 * more, and never changes a file that it did not write.
 */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";

export interface HostFiles {
  /** Digests by name, for the next build. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that were written or removed; the others are as the last build left them. */
  readonly changed: number;
  /** Names of the site's own files, which are used in place of generated ones. */
  readonly kept: readonly string[];
}

export interface WriteOptions {
  readonly outDir: string;
  /** Texts by name, below the output folder. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Digests of what the last build wrote. */
  readonly before: ReadonlyMap<string, string>;
  /** Whether `public/` has a file of this name, which is then used. */
  readonly isPublic: (name: string) => boolean;
}

/** The first line of these files identifies them where the state is lost. JSON has no comments for it. */
const MARKED_FILES = ["_headers", "_redirects"];
const MARK = "# Made by Commonplace, and made anew by each build: ";

/** A text below a line with its digest: a file that was edited since is not removed. */
export function marked(text: string): string {
  return `${MARK}${digestOf(text).slice(0, 16)}\n${text}`;
}

const isMarked = (text: string): boolean => text === marked(text.slice(text.indexOf("\n") + 1));

/** Bytes of the first line. */
export const MARK_BYTES = marked("").length;

/** @throws {DiskError} when a file cannot be written */
export function writeHostFiles({ outDir, wanted, before, isPublic }: WriteOptions): HostFiles {
  const files = new Map<string, string>();
  const kept: string[] = [];
  const folders = new Folders(outDir);
  let changed = 0;
  for (const [name, text] of wanted) {
    const there = read(join(outDir, name));
    const digest = digestOf(text);
    const generated = there === null || [digest, before.get(name)].includes(digestOf(there));
    if (isPublic(name) || (name.endsWith(".html") && !generated)) {
      kept.push(name);
      continue;
    }
    files.set(name, digest);
    if (there === text) continue;
    folders.make(dirname(name));
    atomicWrite(join(outDir, name), text);
    changed++;
  }
  for (const name of new Set([...before.keys(), ...MARKED_FILES])) {
    const there = files.has(name) || isPublic(name) ? null : read(join(outDir, name));
    if (there === null) continue;
    const mark = MARKED_FILES.includes(name) && isMarked(there);
    if (!mark && digestOf(there) !== before.get(name)) continue;
    folders.removeFile(name);
    changed++;
  }
  return { files, changed, kept };
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** Null where there is no such file. */
const read = (path: string): string | null =>
  existsSync(path) ? onDisk("read", path, () => readFileSync(path, "utf8")) : null;
