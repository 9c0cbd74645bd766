/** The digest of a file, read in parts: what is kept beside its name shows a letter that changed on the disk. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/**
 * @param prepare called with the open file before it is read
 * @returns SHA-256 in hexadecimal
 */
export function digestFile(path: string, flags = "r", prepare?: (file: number) => void): string {
  const file = openSync(path, flags);
  try {
    prepare?.(file);
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
