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

/** Many digests, one after another in memory. */
export class Digests {
  readonly #bytes: Buffer;

  constructor(count: number) {
    this.#bytes = Buffer.alloc(count * DIGEST_BYTES);
  }

  set(place: number, value: string): void {
    this.#bytes.write(value, place * DIGEST_BYTES, DIGEST_BYTES, "latin1");
  }

  /** Those from one place up to another, themselves and no copy. */
  range(from: number, to: number): Buffer {
    return this.#bytes.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES);
  }

  copy(place: number, target: Buffer, at: number): void {
    const from = place * DIGEST_BYTES;
    this.#bytes.copy(target, at, from, from + DIGEST_BYTES);
  }
}
