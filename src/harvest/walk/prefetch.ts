/**
 * Requests pages ahead: 1 to 4 in flight, returned in order (docs/walk.md, section 4).
 *
 * The order matters: shuffled windows would cost up to 4.6 times the requests in repairs.
 */
import type { ServedPage } from "../../contract/window.ts";

export interface Position {
  /** Offset of the next window. */
  readonly offset: number;
  /** One past the last record that the chain covers: a page from there on cannot be linked. */
  readonly end: number;
  /** Distance between the offsets of pages. */
  readonly step: number;
  /** Expected number of records, beyond which nothing is prefetched; null when unknown. */
  readonly expected: number | null;
}

export class Prefetch {
  readonly #get: (offset: number) => Promise<ServedPage>;
  readonly #depth: number;
  #queue: { readonly offset: number; readonly page: Promise<ServedPage> }[] = [];

  /** @param depth largest number of requests in flight */
  constructor(get: (offset: number) => Promise<ServedPage>, depth: number) {
    this.#get = get;
    this.#depth = depth;
  }

  /** Returns the next page that can continue the chain. */
  async take(position: Position): Promise<ServedPage> {
    // The chain has gone past hidden rows: pages more than a step behind lead no further.
    const isBehind = ({ offset }: { offset: number }): boolean =>
      offset + position.step < position.offset;
    this.#queue = this.#queue.filter((page) => !isBehind(page));
    const [head] = this.#queue;
    // The page in flight begins after a gap, and may be linked once the gap is closed.
    if (head !== undefined && head.offset >= Math.max(position.end, position.offset + 1)) {
      return this.fetch(position.offset);
    }
    const next = this.#queue.shift() ?? this.#start(position.offset);
    this.#fill(next.offset, position, this.#depth - 1);
    const page = await next.page;
    // Refilled here, so that the next request is sent before the caller stores this page.
    if (this.#depth > 1 && page.next !== null) this.#fill(next.offset, position, this.#depth);
    return page;
  }

  /** Requests a page at any offset, within the limit of requests in flight. */
  async fetch(offset: number): Promise<ServedPage> {
    const [head] = this.#queue;
    if (this.#queue.length >= this.#depth) await Promise.allSettled([head?.page]);
    return this.#get(offset);
  }

  /** Drops the pages in flight, and waits for their answers. */
  async drop(): Promise<void> {
    const dropped = this.#queue;
    this.#queue = [];
    await Promise.allSettled(dropped.map(({ page }) => page));
  }

  /** @param most pages requested and not yet taken */
  #fill(from: number, { step, expected }: Position, most: number): void {
    if (step <= 0) return;
    let offset = this.#queue.at(-1)?.offset ?? from;
    while (this.#queue.length < most) {
      offset += step;
      if (expected !== null && offset >= expected) return;
      this.#queue.push(this.#start(offset));
    }
  }

  #start(offset: number) {
    const page = this.#get(offset);
    // `take` throws the error; a page that is never taken must not raise an unhandled rejection.
    page.catch(() => undefined);
    return { offset, page };
  }
}
