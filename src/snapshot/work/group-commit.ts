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
  #timer: NodeJS.Timeout | undefined;
  /** Of the timer, at which nothing can be thrown: the next call throws it. */
  #failures: unknown[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does all of `write` or nothing of it: seen here at once, on the disk within a moment. */
  add<T>(write: () => T): T {
    this.#rethrow();
    const result = this.#database.grouped(write);
    if (++this.#writes >= MOST) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLater(), WAIT_MS).unref();
    return result;
  }

  flush(): void {
    this.#rethrow();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writes = 0;
    this.#database.settle();
  }

  #flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failures.push(error);
    }
  }

  #rethrow(): void {
    for (const failure of this.#failures.splice(0)) throw failure;
  }
}
