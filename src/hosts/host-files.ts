/** Writes the files of a host into the finished site, removes obsolete ones, and never changes a file that it did not write. */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { Folders } from "../files/folders.ts";

interface WriteOptions {
  readonly outDir: string;
  /** Content by path below the output folder. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Digests of the files that the last build wrote, by path. */
  readonly before: ReadonlyMap<string, string>;
  /** Whether a folder `public/` has this file: the site then uses that one. */
  readonly isPublic: (name: string) => boolean;
}

/** Their first line identifies them if the state is lost. JSON has no comments for such a line. */
const MARKED_FILES = ["_headers", "_redirects"];
const MARK = "# Made by Commonplace, and made anew by each build: ";

/** Puts a line with the digest before a text, so that an edited file is recognised and kept. */
export function marked(text: string): string {
  return `${MARK}${digestOf(text).slice(0, 16)}\n${text}`;
}

const isMarked = (text: string): boolean => text === marked(text.slice(text.indexOf("\n") + 1));

export const MARK_BYTES = marked("").length;

/**
 * @returns digests of the generated `files` by path, the number of `changed` files, which were written or removed, and paths of
 *   the site's own files that were `kept` in place of generated ones
 * @throws {DiskError} when a file cannot be written
 */
export function writeHostFiles({ outDir, wanted, before, isPublic }: WriteOptions) {
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

const read = (path: string): string | null =>
  existsSync(path) ? onDisk("read", path, () => readFileSync(path, "utf8")) : null;
