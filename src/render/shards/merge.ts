/**
 * Joins the shares of a site into one folder, as if one machine had rendered it: only what differs is written, what
 * belongs to the site no more is removed, and the list of changes is made.
 */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PublishRefused, UsageError } from "../../contract/errors.ts";
import { Folders } from "../../files/folders.ts";
import { BUILD_MARKER } from "../../files/ownership.ts";
import { assetFiles, copyAsset } from "../assets.ts";
import { strangers } from "../leavings.ts";
import { writeChanges, type ChangeCounts } from "../ledger/changes.ts";
import { CHANGE, Ledger, type WrittenFile } from "../ledger/ledger.ts";
import { isCurrent } from "../pages.ts";
import { readShare, SHARE_FILE, type Share } from "./shard.ts";

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

/** @throws {PublishRefused} when a share is missing, is of another site, or two shares hold one file */
export function mergeShares({ parts, stateDir, outDir }: MergeOptions): MergeReport {
  const shares = readShares(parts);
  const source = new Map<string, string>();
  for (const folder of shares.values()) {
    for (const file of assetFiles(folder)) {
      if (file === SHARE_FILE || file === BUILD_MARKER) continue;
      const other = source.get(file);
      if (other !== undefined) {
        throw new PublishRefused(`Cannot merge ${file}: it is in ${other} and in ${folder}`);
      }
      source.set(file, folder);
    }
  }
  const ledger = new Ledger(stateDir, outDir);
  try {
    const { entries } = ledger;
    const gone = [...entries]
      .filter(([file, { change }]) => !source.has(file) && change !== CHANGE.removed)
      .map(([file]) => file);
    if (entries.size === 0) gone.push(...strangers(outDir, (file) => source.has(file)));
    const folders = new Folders(outDir);
    for (const file of gone) folders.removeFile(file);
    ledger.remove(gone);
    let written = 0;
    let batch: WrittenFile[] = [];
    const record = (): void => {
      ledger.record(batch);
      written += batch.filter((file) => file.written).length;
      batch = [];
    };
    for (const [file, folder] of source) {
      const key = hash("sha256", readFileSync(join(folder, file)), "hex");
      if (isCurrent(outDir, file, key, entries.get(file))) continue;
      ledger.distrust([file]);
      batch.push(copyAsset(folder, folders, file, key, entries.get(file)));
      if (batch.length === BATCH) record();
    }
    record();
    const changes = writeChanges(stateDir, ledger.changes());
    ledger.complete();
    return { shares: shares.size, files: source.size, written, changes };
  } finally {
    ledger.close();
  }
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
