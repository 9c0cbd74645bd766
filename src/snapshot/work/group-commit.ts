/**
 * Windows that are committed together: a commit that waits for the disk costs more than the rows in it.
 *
 * They are written as they come, so that the service has something to do meanwhile. A process that is killed loses what
 * came in the last moment; it was read, and is read again.
 */
import type { Database } from "../../sqlite/database.ts";

const MOST = 64;
const WAIT_MS = 100;

export class GroupCommit {
  readonly #database: Database;
  #writes = 0;
  #timer: NodeJS.Timeout | null = null;
  #failure: Error | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does all of `write` or nothing of it: seen here at once, on the disk within a moment. */
  add<T>(write: () => T): T {
    this.#rethrow();
    const result = this.#database.grouped(write);
    this.#writes++;
    if (this.#writes >= MOST) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLater(), WAIT_MS).unref();
    return result;
  }

  flush(): void {
    this.#rethrow();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writes = 0;
    this.#database.settle();
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
