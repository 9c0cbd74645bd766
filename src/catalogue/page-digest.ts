/**
 * One digest for all that a page shows: equal digests, equal pages, as long as the template is the same.
 *
 * It is put together from digests of the parts, so that the words of a quote are hashed once and not on each of the
 * pages it stands on.
 */
import { digest, DIGEST_BYTES } from "./gather.ts";

/** Digests of what terms are called and where they live, one after another. */
export function labelDigests(
  labels: readonly { readonly name: string | null; readonly slug: string }[],
): Buffer {
  const all = Buffer.alloc(labels.length * DIGEST_BYTES);
  for (const [index, { name, slug }] of labels.entries()) {
    // A quote without author and one by an author of no name are two things.
    digest(`${slug}\0${name ?? "\0"}`).copy(all, index * DIGEST_BYTES);
  }
  return all;
}

/** Takes the parts of a page in the order of the page, and then its digest; used over and over. */
export class PageDigest {
  #parts = Buffer.alloc(4_096);
  #length = 0;

  text(part: string): this {
    const bytes = Buffer.byteLength(part);
    this.#reserve(bytes + 1);
    this.#length += this.#parts.write(part, this.#length);
    this.#parts[this.#length++] = 0;
    return this;
  }

  /** The digest in place `index` of digests written one after another. */
  part(digests: Buffer, index: number): this {
    this.#reserve(DIGEST_BYTES);
    const from = index * DIGEST_BYTES;
    digests.copy(this.#parts, this.#length, from, from + DIGEST_BYTES);
    this.#length += DIGEST_BYTES;
    return this;
  }

  /** Digests written one after another, as they are. */
  parts(digests: Buffer): this {
    this.#reserve(digests.length);
    this.#length += digests.copy(this.#parts, this.#length);
    return this;
  }

  /** The digest of all parts since the last call. */
  take(): Buffer {
    const taken = digest(this.#parts.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#parts.length) return;
    const larger = Buffer.alloc((this.#length + bytes) * 2);
    this.#parts.copy(larger, 0, 0, this.#length);
    this.#parts = larger;
  }
}
