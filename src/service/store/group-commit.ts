/**
 * Many writes, one commit: what arrives while the disk is busy is written together, and nobody is answered before it
 * lies on the disk.
 *
 * A vote costs an fsync of some milliseconds; five hundred at once cost one or two.
 */
interface Waiting {
  readonly run: () => void;
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

export class GroupCommit {
  readonly #transaction: (work: () => void) => void;
  #waiting: Waiting[] = [];

  /** @param transaction does all of its work or none of it, durably */
  constructor(transaction: (work: () => void) => void) {
    this.#transaction = transaction;
  }

  /** Resolves with what `write` returned once it is durable; rejects when the whole group could not be written. */
  add<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      if (this.#waiting.length === 0) setImmediate(() => this.flush());
      this.#waiting.push({
        run: () => (result = write()),
        committed: () => resolve(result),
        failed: reject,
      });
    });
  }

  /** Writes what waits, now. */
  flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    try {
      this.#transaction(() => {
        for (const { run } of group) run();
      });
    } catch (error) {
      for (const { failed } of group) failed(error);
      return;
    }
    for (const { committed } of group) committed();
  }
}
