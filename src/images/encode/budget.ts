/**
 * How much memory the pictures being decoded in a process may take together. Small ones go side by side; a large one
 * waits until there is room, and the largest is alone.
 */
export class Budget {
  readonly #bytes: number;
  readonly #waiting: { readonly needs: number; readonly go: () => void }[] = [];
  #taken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Does `work` when there is room for it; first come, first served, so that a large one is not passed over for ever. */
  async within<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    const needs = Math.min(bytes, this.#bytes);
    if (this.#waiting.length > 0 || this.#taken + needs > this.#bytes) {
      await new Promise<void>((go) => this.#waiting.push({ needs, go }));
    } else this.#taken += needs;
    try {
      return await work();
    } finally {
      this.#taken -= needs;
      this.#admit();
    }
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#taken + next.needs > this.#bytes) return;
      this.#waiting.shift();
      this.#taken += next.needs;
      next.go();
    }
  }
}
