/**
 * Shares of a site, rendered on independent machines, and how they are merged.
 *
 * A file in each share names the share and the site. A merge needs every share of the same site, or pages would be missing.
 */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../contract/decode.ts";
import { PublishRefused, UsageError } from "../contract/errors.ts";
import { atomicWrite } from "../files/disk.ts";
import { BUILD_MARKER } from "../files/folders.ts";
import { filesBelow, statOf } from "../files/walk.ts";
import { PageWriter } from "./page-writer.ts";
import { WrittenFiles } from "./written-files.ts";

/** The share of a file, from 1. It depends only on the name, so other files do not move it. */
export function shardOf(file: string, count: number): number {
  return (Number.parseInt(hash("sha256", file, "hex").slice(0, 12), 16) % count) + 1;
}

const shareSchema = z.strictObject({
  shard: z.int().min(1),
  of: z.int().min(1),
  /** SHA-256 over the pages of the whole site with their cache keys, and the name of the data. */
  site: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Share = z.infer<typeof shareSchema>;

/** In the output folder of a share; not part of the site. */
export const SHARE_FILE = "shard.json";

/** Marks a folder as a complete share; null removes the mark. */
export function markShare(outDir: string, share: Share | null): void {
  const path = join(outDir, SHARE_FILE);
  if (share === null) rmSync(path, { force: true });
  else atomicWrite(path, `${JSON.stringify(share)}\n`);
}

/** @throws {PublishRefused} when the folder is not a complete share */
function readShare(folder: string): Share {
  const path = join(folder, SHARE_FILE);
  if (!existsSync(path)) {
    throw new PublishRefused(`Cannot merge ${folder}: its render did not finish`);
  }
  const { data } = shareSchema.safeParse(parseJson(readFileSync(path, "utf8")));
  if (data !== undefined) return data;
  throw new PublishRefused(`Cannot merge ${folder}: its ${SHARE_FILE} is invalid`);
}

export type MergeReport = ReturnType<typeof mergeShares>;

/** Files between two commits: a killed merge keeps what it recorded. */
const BATCH = 512;

/**
 * Writes the files that differ, removes stale files, and lists the changes.
 *
 * @param folders.parts has a folder for each share, with any name
 * @throws {PublishRefused} when a share is missing or of another site, or a file differs between two shares
 */
export function mergeShares(folders: Readonly<Record<"parts" | "stateDir" | "outDir", string>>) {
  const { parts, stateDir, outDir } = folders;
  const shares = readShares(parts);
  const sources = sourcesOf(shares.values());
  using files = new WrittenFiles(stateDir, outDir);
  const writer = new PageWriter(outDir);
  files.removeStale(sources);
  const stale = [...sources].filter(([file, { digest }]) => !files.isCurrent(file, digest));
  let written = 0;
  for (let at = 0; at < stale.length; at += BATCH) {
    const records = stale.slice(at, at + BATCH).map(([file, { path, digest: key }]) => {
      return writer.write({ file, key, mtime: files.dateOf(file, key) }, [readFileSync(path)]);
    });
    files.record(records);
    written += records.filter((record) => record.written).length;
  }
  return { shares: shares.size, files: sources.size, written, changes: files.complete() };
}

/** Path and digest of every file of the site. Each share has the same style sheets and scripts. */
function sourcesOf(folders: Iterable<string>) {
  const sources = new Map<string, { readonly path: string; readonly digest: string }>();
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
  if (statOf(parts)?.isDirectory() !== true)
    throw new UsageError(`Cannot merge ${parts}: no such folder`);
  return readdirSync(parts, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parts, name));
}
