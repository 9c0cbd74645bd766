/**
 * Shares of a site's pages, rendered on machines that know nothing of each other.
 *
 * A share says in a file of its own which one it is and of which site: the machine that joins them must find every
 * share of one and the same site, or it would publish a hole.
 */
import { hash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PublishRefused } from "../contract/errors.ts";
import { atomicWrite } from "../files/atomic-write.ts";

/** The share a file belongs to, from 1: by its name alone, so that it stays when others come and go. */
export function shardOf(file: string, count: number): number {
  return (Number.parseInt(hash("sha256", file, "hex").slice(0, 12), 16) % count) + 1;
}

/** What a share says of itself. */
const shareSchema = z.strictObject({
  shard: z.int().min(1),
  of: z.int().min(1),
  /** SHA-256 over every page of the whole site and what it is made from. */
  site: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Share = z.infer<typeof shareSchema>;

/** In the share's output folder; no part of the site. */
export const SHARE_FILE = "shard.json";

/** Marks a folder as a finished share. */
export function writeShare(outDir: string, share: Share): void {
  mkdirSync(outDir, { recursive: true });
  atomicWrite(join(outDir, SHARE_FILE), `${JSON.stringify(share)}\n`);
}

/** A folder in which rendering begins is no finished share. */
export function removeShare(outDir: string): void {
  rmSync(join(outDir, SHARE_FILE), { force: true });
}

/** @throws {PublishRefused} when the folder is no finished share */
export function readShare(folder: string): Share {
  try {
    return shareSchema.parse(JSON.parse(readFileSync(join(folder, SHARE_FILE), "utf8")));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      throw new PublishRefused(`Cannot merge ${folder}: its render did not finish`, { cause });
    }
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    throw new PublishRefused(`Cannot merge ${folder}: ${SHARE_FILE} is not ours`, { cause });
  }
}
