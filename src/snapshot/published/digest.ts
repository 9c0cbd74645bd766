/** A snapshot's name carries the digest of its bytes: what changed on the disk since is not published from. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readSync } from "node:fs";
import { onDisk } from "../../files/disk.ts";
import { snapshotId, snapshotPath } from "./pointer.ts";

/** Names a finished file, once its bytes are on the disk. */
export function sealedId(path: string, now: number): string {
  return snapshotId(
    now,
    onDisk("use", path, () => digestOf(path, fsyncSync)),
  );
}

/** Whether a snapshot is there, with the bytes that it was published with. */
export function isWhole(stateDir: string, id: string): boolean {
  const path = snapshotPath(stateDir, id);
  return (
    existsSync(path) && id.endsWith(`-${onDisk("read", path, () => digestOf(path)).slice(0, 8)}`)
  );
}

/** @param first what is done with the open file before; it can be written then */
function digestOf(path: string, first?: (file: number) => void): string {
  const file = openSync(path, first === undefined ? "r" : "r+");
  try {
    first?.(file);
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, size));
    }
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}
