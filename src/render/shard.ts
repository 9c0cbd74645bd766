/**
 * Shares of a site's pages, rendered on machines that know nothing of each other.
 *
 * A share says in a file of its own which one it is and of which site: the machine that joins them must find every
 * share of one and the same site, or it would publish a hole.
 */
import { createHash, hash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite } from "../files/atomic-write.ts";
import type { Part } from "../contract/part.ts";

/** One share of the pages. */
export type Shard = Part;

/** The share a file belongs to, from 1: by its name alone, so that it stays when others come and go. */
export function shardOf(file: string, count: number): number {
  return (Number.parseInt(hash("sha256", file, "hex").slice(0, 12), 16) % count) + 1;
}

/** What a share says of itself. */
const shareSchema = z.strictObject({
  shard: z.int().min(1),
  of: z.int().min(1),
  /** Over every page of the whole site and what it is made from. */
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

/** @returns null when the text is no share's */
export function readShare(text: string): Share | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const read = shareSchema.safeParse(raw);
  return read.success ? read.data : null;
}

/** Digests the whole site's pages, of which each share renders some. */
export class SiteDigest {
  readonly #digest = createHash("sha256");

  /** @param bundle digest of the sources */
  constructor(bundle: string) {
    this.#digest.update(`${bundle}\0`);
  }

  add(file: string, key: string): void {
    this.#digest.update(`${file}\0${key}\0`);
  }

  share({ index, count }: Shard): Share {
    return { shard: index, of: count, site: this.#digest.digest("hex") };
  }
}
