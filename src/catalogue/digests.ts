/**
 * Digests: half of a SHA-256, which no accident and no quote sent on purpose will match.
 *
 * They travel as text with a character for each byte: Node hands that over in a third of the time a `Buffer` takes.
 */
import { hash } from "node:crypto";

export const DIGEST_BYTES = 16;

/** @returns as many characters as bytes, all below U+0100 (`latin1`) */
export function digest(data: string | Buffer): string {
  return hash("sha256", data, "binary").slice(0, DIGEST_BYTES);
}

/** Many digests, one after another in memory. So few bytes are moved faster one by one than by asking the runtime. */
export class Digests {
  readonly #bytes: Buffer;

  /** @param room how many there will be, or the bytes of those there are */
  constructor(room: number | Uint8Array<ArrayBuffer>) {
    this.#bytes =
      typeof room === "number"
        ? Buffer.alloc(room * DIGEST_BYTES)
        : Buffer.from(room.buffer, room.byteOffset, room.byteLength);
  }

  set(place: number, value: string): void {
    const to = place * DIGEST_BYTES;
    for (let i = 0; i < DIGEST_BYTES; i++) this.#bytes[to + i] = value.charCodeAt(i);
  }

  /** Those from one place up to another, themselves and no copy. */
  range(from: number, to: number): Buffer {
    return this.#bytes.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES);
  }

  copy(place: number, target: Buffer, at: number): void {
    const from = place * DIGEST_BYTES;
    for (let i = 0; i < DIGEST_BYTES; i++) target[at + i] = this.#bytes[from + i] ?? 0;
  }
}
