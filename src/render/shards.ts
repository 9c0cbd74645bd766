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
  /** SHA-256 of each file by its path. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});

/** What a render knows before its files are complete. */
export type Share = Omit<z.infer<typeof shareSchema>, "files">;

type SealedShare = z.infer<typeof shareSchema>;

/** In the output folder of a share; not part of the site. */
export const SHARE_FILE = "shard.json";

/** Marks a folder as a share whose pages are there; null removes the mark. `sealShare()` completes it. */
export function markShare(outDir: string, share: Share | null): void {
  const path = join(outDir, SHARE_FILE);
  if (share === null) rmSync(path, { force: true });
  else atomicWrite(path, `${JSON.stringify(share)}\n`);
}

/**
 * Completes a share with the digest of each of its files, by which a merge sees that none was changed on the way. Called once
 * no stage writes to the folder any more.
 */
export function sealShare(outDir: string): void {
  const path = join(outDir, SHARE_FILE);
  const share = parseJson(readFileSync(path, "utf8")) as Share;
  const files = Object.fromEntries(
    shareFiles(outDir).map((file) => [file, digestOf(join(outDir, file))]),
  );
  atomicWrite(path, `${JSON.stringify({ ...share, files } satisfies SealedShare)}\n`);
}

/** Files of the site in a share. */
const shareFiles = (folder: string): string[] =>
  [...filesBelow(folder)].filter((file) => file !== SHARE_FILE && file !== BUILD_MARKER);

const digestOf = (path: string): string => hash("sha256", readFileSync(path), "hex");

/** @throws {PublishRefused} when the folder is not a complete share */
function readShare(folder: string): SealedShare {
  refuseOthers(folder);
  const path = join(folder, SHARE_FILE);
  if (!existsSync(path)) {
    throw new PublishRefused(`Cannot merge ${folder}: its render did not finish`);
  }
  const json = parseJson(readFileSync(path, "utf8"));
  if (json instanceof Object && !("files" in json)) {
    throw new PublishRefused(`Cannot merge ${folder}: its render did not finish`);
  }
  const { data } = shareSchema.safeParse(json);
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
 * @throws {PublishRefused} when a share is missing or of another site, a file is not as its render wrote it, or differs between
 *   two shares
 */
export function mergeShares(folders: Readonly<Record<"parts" | "stateDir" | "outDir", string>>) {
  const { parts, stateDir, outDir } = folders;
  const shares = readShares(parts);
  const sources = sourcesOf(shares);
  using files = new WrittenFiles(stateDir, outDir);
  const writer = new PageWriter(outDir, null);
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
function sourcesOf(shares: ReadonlyMap<string, SealedShare>) {
  const sources = new Map<string, { readonly path: string; readonly digest: string }>();
  for (const [folder, { files }] of shares) {
    const there = shareFiles(folder);
    const missing = new Set(Object.keys(files)).difference(new Set(there));
    for (const file of [...missing, ...there]) {
      const path = join(folder, file);
      const digest = missing.has(file) ? null : digestOf(path);
      if (digest === null || files[file] !== digest) {
        const what = digest === null ? "it is gone" : "it is not as its render wrote it";
        throw new PublishRefused(`Cannot merge ${path}: ${what}; render the shard again`);
      }
      const other = sources.get(file);
      if (other !== undefined && other.digest !== digest) {
        throw new PublishRefused(`Cannot merge ${file}: ${other.path} and ${path} differ`);
      }
      sources.set(file, { path, digest });
    }
  }
  return sources;
}

/** A render writes files and folders alone; what else is there was put there. */
function refuseOthers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) continue;
    refuseOther(join(entry.parentPath, entry.name));
  }
}

function refuseOther(path: string): never {
  throw new PublishRefused(
    `Cannot merge ${path}: it is neither a file nor a folder; render the shard again`,
  );
}

/** Each share by its folder. */
function readShares(parts: string): Map<string, SealedShare> {
  const shares = new Map<string, SealedShare>();
  const folders = new Map<number, string>();
  let first: SealedShare | undefined;
  for (const folder of foldersIn(parts)) {
    const share = readShare(folder);
    first ??= share;
    if (share.of !== first.of || share.site !== first.site) {
      throw new PublishRefused(`Cannot merge ${folder}: it is a share of another site`);
    }
    const other = folders.get(share.shard);
    if (other !== undefined) {
      throw new PublishRefused(`Cannot merge ${folder}: ${other} is the same share`);
    }
    folders.set(share.shard, folder);
    shares.set(folder, share);
  }
  const { of = 1 } = first ?? {};
  const missing = Array.from({ length: of }, (_, index) => index + 1).find((n) => !folders.has(n));
  if (missing === undefined) return shares;
  throw new PublishRefused(`Cannot merge ${parts}: share ${missing} of ${of} is missing`);
}

function foldersIn(parts: string): string[] {
  if (statOf(parts)?.isDirectory() !== true)
    throw new UsageError(`Cannot merge ${parts}: no such folder`);
  const entries = readdirSync(parts, { withFileTypes: true });
  const other = entries.find((entry) => !entry.isDirectory() && !entry.isFile());
  if (other !== undefined) refuseOther(join(parts, other.name));
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parts, name));
}
