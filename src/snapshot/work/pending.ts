/**
 * Records that are written together: a commit that waits for the disk costs more than the rows in it.
 *
 * A process that is killed loses what came in the last moment; it was read, and is read again.
 */

const MOST = 32;
const WAIT_MS = 100;

export class Pending<T> {
  readonly #write: (records: readonly T[]) => void;
  #records: T[] = [];
  #timer: NodeJS.Timeout | null = null;
  #failure: Error | null = null;

  constructor(write: (records: readonly T[]) => void) {
    this.#write = write;
  }

  add(record: T): void {
    this.#rethrow();
    this.#records.push(record);
    if (this.#records.length >= MOST) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLater(), WAIT_MS).unref();
  }

  flush(): void {
    this.#rethrow();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#records.length === 0) return;
    const records = this.#records;
    this.#records = [];
    this.#write(records);
  }

  /** A timer has nobody to throw at: whoever comes next hears of it. */
  #flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#failure = error;
    }
  }

  #rethrow(): void {
    if (this.#failure === null) return;
    const failure = this.#failure;
    this.#failure = null;
    throw failure;
  }
}
