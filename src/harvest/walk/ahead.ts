/**
 * Pages asked for before they are needed: 1 to 4 in flight, handed out in order (docs/walk.md, section 4).
 *
 * Order matters: shuffled windows would cost up to 4.6 times the requests in repairs.
 */
import type { ServedPage } from "../../contract/window.ts";

interface Flight {
  readonly offset: number;
  readonly page: Promise<ServedPage>;
}

export interface Course {
  /** Where the chain wants to go on. */
  readonly offset: number;
  /** One past the last record that the chain covers: a page beginning there or later cannot be linked. */
  readonly end: number;
  /** Between the beginnings of pages. */
  readonly step: number;
  /** Records expected in all; nothing is asked for beyond them ahead of time. */
  readonly expected: number | null;
}

export class Ahead {
  readonly #get: (offset: number) => Promise<ServedPage>;
  readonly #depth: number;
  #flights: Flight[] = [];

  /** @param depth requests in flight at most */
  constructor(get: (offset: number) => Promise<ServedPage>, depth: number) {
    this.#get = get;
    this.#depth = depth;
  }

  /** The next page that can continue the chain. */
  async take(course: Course): Promise<ServedPage> {
    const [head] = this.#flights;
    // Already in flight, but beyond a gap: it stays, and may fit when the gap is closed.
    if (head !== undefined && head.offset >= Math.max(course.end, course.offset + 1)) {
      return this.beside(course.offset);
    }
    const flight = this.#flights.shift() ?? this.#launch(course.offset);
    this.#fill(flight.offset, course, this.#depth - 1);
    const page = await flight.page;
    // Its place is free: the next request is on its way before this page is looked at.
    if (this.#depth > 1 && page.next !== null) {
      this.#fill(flight.offset, course, this.#depth);
    }
    return page;
  }

  /** A page off the course, as soon as its request is not one too many. */
  async beside(offset: number): Promise<ServedPage> {
    const [head] = this.#flights;
    if (this.#flights.length >= this.#depth) await Promise.allSettled([head?.page]);
    return this.#get(offset);
  }

  /** Waits until nothing is in flight; what still arrives is not wanted. */
  async drop(): Promise<void> {
    const flights = this.#flights;
    this.#flights = [];
    await Promise.allSettled(flights.map(({ page }) => page));
  }

  /** @param most pages asked for and not yet taken */
  #fill(from: number, { step, expected }: Course, most: number): void {
    if (step <= 0) return;
    let offset = this.#flights.at(-1)?.offset ?? from;
    while (this.#flights.length < most) {
      offset += step;
      if (expected !== null && offset >= expected) return;
      this.#flights.push(this.#launch(offset));
    }
  }

  #launch(offset: number): Flight {
    const page = this.#get(offset);
    // Thrown when the page is taken; a page that is not taken does not fail.
    page.catch(() => undefined);
    return { offset, page };
  }
}
