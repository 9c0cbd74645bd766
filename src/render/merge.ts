/**
 * Joins the shares of a site into one folder, as if one machine had rendered it: only what differs is written, what
 * belongs to the site no more is removed, and the list of changes is made.
 */
import { hash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PublishRefused, UsageError } from "../contract/errors.ts";
import { writeChanges, type ChangeCounts } from "./changes.ts";
import { filesIn, removeFile } from "./output.ts";
import { readShare, SHARE_FILE, type Share } from "./shard.ts";
import { WrittenFiles, type NewRecord } from "./written-files.ts";

export interface MergeOptions {
  /** Holds a folder for each share, by any name. */
  readonly parts: string;
  readonly stateDir: string;
  readonly outDir: string;
}

export interface MergeReport {
  readonly shares: number;
  readonly files: number;
  readonly written: number;
  readonly changes: ChangeCounts;
}

/** Files recorded at a time, so that a merge that is killed has not done it all for nothing. */
const BATCH = 512;

/** @throws {PublishRefused} when a share is missing, is of another site, or two shares differ in a file */
export function mergeShares({ parts, stateDir, outDir }: MergeOptions): MergeReport {
  const shares = readShares(parts);
  const source = sourcesOf(shares.values());
  const files = new WrittenFiles(stateDir, outDir);
  try {
    const known = files.records.size > 0 ? files.records.keys() : filesIn(outDir).filter(isOurs);
    const gone = [...known].filter((file) => !source.has(file));
    for (const file of gone) removeFile(outDir, file);
    files.remove(gone);
    let written = 0;
    let batch: NewRecord[] = [];
    const record = (): void => {
      files.record(batch);
      written += batch.filter((file) => file.written).length;
      batch = [];
    };
    for (const [file, { path, digest }] of source) {
      if (files.isCurrent(file, digest)) continue;
      const before = files.records.get(file);
      batch.push(
        copyFile(path, outDir, file, digest, before?.key === digest ? before.mtime : null),
      );
      if (batch.length === BATCH) record();
    }
    record();
    const changes = writeChanges(stateDir, files.changes());
    files.complete();
    return { shares: shares.size, files: source.size, written, changes };
  } finally {
    files.close();
  }
}

interface Source {
  readonly path: string;
  readonly digest: string;
}

/** Every file of the site. Style sheets and scripts are in each share, the same in all. */
function sourcesOf(folders: Iterable<string>): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      if (file === SHARE_FILE) continue;
      const path = join(folder, file);
      const digest = hash("sha256", readFileSync(path), "hex");
      const other = sources.get(file);
      if (other !== undefined && other.digest !== digest) {
        throw new PublishRefused(`Cannot merge ${file}: ${other.path} and ${path} differ`);
      }
      sources.set(file, { path, digest });
    }
  }
  return sources;
}

/** What an earlier build may have left in a folder of which nothing is known; other files are other programs'. */
const isOurs = (file: string): boolean => file.endsWith(".html") || file.startsWith("_astro/");

/** @param mtime date of a file that was lost and is the same as before, in seconds */
function copyFile(
  path: string,
  outDir: string,
  file: string,
  key: string,
  mtime: number | null,
): NewRecord {
  const target = join(outDir, file);
  const bytes = readFileSync(path);
  const there = lstatSync(target, { throwIfNoEntry: false });
  const written =
    there?.isFile() !== true || there.size !== bytes.length || !bytes.equals(readFileSync(target));
  if (written) {
    if (there !== undefined) rmSync(target, { recursive: true });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes, { flag: "wx" });
    if (mtime !== null) utimesSync(target, mtime, mtime);
  }
  const { mtimeMs, size } = lstatSync(target);
  return { file, key, size, mtime: Math.floor(mtimeMs / 1_000), written };
}

/** The folder of each share, by its number. */
function readShares(parts: string): Map<number, string> {
  const shares = new Map<number, string>();
  let first: Share | undefined;
  for (const folder of foldersIn(parts)) {
    const share = shareOf(folder);
    first ??= share;
    if (share.of !== first.of || share.site !== first.site) {
      throw new PublishRefused(`Cannot merge ${folder}: it is a share of another site`);
    }
    const other = shares.get(share.shard);
    if (other !== undefined) {
      throw new PublishRefused(`Cannot merge ${folder}: ${other} is the same share`);
    }
    shares.set(share.shard, folder);
  }
  for (let shard = 1; shard <= (first?.of ?? 1); shard++) {
    if (!shares.has(shard)) {
      throw new PublishRefused(
        `Cannot merge ${parts}: share ${shard} of ${first?.of ?? "any"} is missing`,
      );
    }
  }
  return shares;
}

function foldersIn(parts: string): string[] {
  try {
    return readdirSync(parts, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(parts, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError(`Cannot merge ${parts}: no such folder`, { cause: error });
  }
}

function shareOf(folder: string): Share {
  let text;
  try {
    text = readFileSync(join(folder, SHARE_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new PublishRefused(`Cannot merge ${folder}: its render did not finish`, { cause: error });
  }
  const share = readShare(text);
  if (share === null) throw new PublishRefused(`Cannot merge ${folder}: ${SHARE_FILE} is not ours`);
  return share;
}
