/**
 * Writes a cache's file through to the disk, before it takes the place of the one before.
 *
 * Node's permission model has no `fsync`: a render that is held by it goes on without. What a power cut may then damage
 * is a cache, and deleting it costs the time to make it again.
 */
import { closeSync, fsyncSync, openSync } from "node:fs";

/** Whether that model holds this process: what is written through as it is written does without. */
const HELD = process.permission !== undefined;

export function flushCache(path: string): void {
  if (HELD) return;
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
