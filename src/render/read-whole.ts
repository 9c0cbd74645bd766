/** Reading a stretch of a file: one call may give less than was asked for. */
import { readSync } from "node:fs";

/**
 * Reads `length` bytes from `offset` on into a buffer, where they begin at `at`.
 *
 * @returns false when the file is too short; the buffer then holds what there was
 */
export function readWhole(
  file: number,
  into: Uint8Array,
  at: number,
  length: number,
  offset: number,
): boolean {
  for (let done = 0; done < length;) {
    const got = readSync(file, into, at + done, length - done, offset + done);
    if (got === 0) return false;
    done += got;
  }
  return true;
}
