/**
 * One page while it is put together: its members, the digests of what it shows of them, and what else it shows.
 *
 * One digest stands for all that a page shows: equal digests, equal pages, as long as the template is the same. It is
 * made of the digests of the parts, so that the words of a quote are hashed once and not on each page they stand on.
 */
import { digest, DIGEST_BYTES, type Digests } from "../digests.ts";

export class PageParts {
  readonly #ids: Float64Array<ArrayBuffer>;
  readonly #permalinks: Uint32Array<ArrayBuffer>;
  #count = 0;
  #parts = Buffer.alloc(4_096);
  #length = 0;
  #membersFrom = 0;
  readonly #languages = new Set<string>();
  #language = "";

  /** @param mostMembers that a page will have */
  constructor(mostMembers: number) {
    this.#ids = new Float64Array(mostMembers);
    this.#permalinks = new Uint32Array(mostMembers);
  }

  /** Begins a page; `shown` is all that it shows besides its members. */
  start(shown?: string): void {
    this.#length = 0;
    this.#count = 0;
    this.#languages.clear();
    this.#language = "";
    if (shown !== undefined) this.text(shown);
    this.#membersFrom = this.#length;
  }

  /**
   * Adds a member, by its id and the digest that stands for it.
   *
   * @param permalink where its own link leads, which its digest covers
   */
  member(id: number, digests: Digests, place: number, permalink = 0): void {
    this.#permalinks[this.#count] = permalink;
    this.#ids[this.#count++] = id;
    this.part(digests, place);
  }

  language(code: string): void {
    // Most quotes of a page are in one language, and comparing costs less than asking a set.
    if (code === this.#language) return;
    this.#language = code;
    this.#languages.add(code);
  }

  text(shown: string): void {
    this.#reserve(shown.length * 3 + 1);
    this.#length += this.#parts.write(shown, this.#length);
    this.#parts[this.#length++] = 0;
  }

  part(digests: Digests, place: number): void {
    this.#reserve(DIGEST_BYTES);
    digests.copy(place, this.#parts, this.#length);
    this.#length += DIGEST_BYTES;
  }

  /** Members that were added. */
  get length(): number {
    return this.#count;
  }

  /** Ids of 8 bytes each. Like `parts`, it holds until the next page begins. */
  get ids(): Uint8Array {
    return new Uint8Array(this.#ids.buffer, 0, this.#count * 8);
  }

  /** Where the members' own links lead, 4 bytes each. */
  get permalinks(): Uint8Array {
    return new Uint8Array(this.#permalinks.buffer, 0, this.#count * 4);
  }

  /** What was added since the page began: where nothing but members was, their digests. */
  get parts(): Buffer {
    return this.#parts.subarray(this.#membersFrom, this.#length);
  }

  get languages(): string {
    return [...this.#languages].join(" ");
  }

  get digest(): string {
    return digest(this.#parts.subarray(0, this.#length));
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#parts.length) return;
    const larger = Buffer.alloc((this.#length + bytes) * 2);
    this.#parts.copy(larger, 0, 0, this.#length);
    this.#parts = larger;
  }
}
