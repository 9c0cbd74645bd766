/**
 * Joins the shares of a site into one folder, as if one machine had rendered it: only what differs is written, what
 * belongs to the site no more is removed, and the list of changes is made.
 */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PublishRefused, UsageError } from "../contract/errors.ts";
import { BUILD_MARKER } from "../files/ownership.ts";
import { filesBelow } from "../files/walk.ts";
import { PageWriter } from "./page-writer.ts";
import { readShare, SHARE_FILE, type Share } from "./shard.ts";
import { WrittenFiles, type ChangeCounts, type NewRecord } from "./written-files.ts";

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
  const sources = sourcesOf(shares.values());
  const files = new WrittenFiles(stateDir, outDir);
  const writer = new PageWriter(outDir);
  try {
    files.removeStale((file) => sources.has(file));
    const stale = [...sources].filter(([file, { digest }]) => !files.isCurrent(file, digest));
    let written = 0;
    for (let at = 0; at < stale.length; at += BATCH) {
      const records = stale
        .slice(at, at + BATCH)
        .map(([file, { path, digest: key }]): NewRecord => {
          const bytes = [readFileSync(path)];
          return { file, key, ...writer.write(file, bytes, files.dateOf(file, key)) };
        });
      files.record(records);
      written += records.filter((record) => record.written).length;
    }
    return { shares: shares.size, files: sources.size, written, changes: files.complete() };
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
    for (const file of filesBelow(folder)) {
      if (file === SHARE_FILE || file === BUILD_MARKER) continue;
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

/** The folder of each share, by its number. */
function readShares(parts: string): Map<number, string> {
  const shares = new Map<number, string>();
  let first: Share | undefined;
  for (const folder of foldersIn(parts)) {
    const share = readShare(folder);
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
  const { of = 1 } = first ?? {};
  const missing = Array.from({ length: of }, (_, index) => index + 1).find((n) => !shares.has(n));
  if (missing === undefined) return shares;
  throw new PublishRefused(`Cannot merge ${parts}: share ${missing} of ${of} is missing`);
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
