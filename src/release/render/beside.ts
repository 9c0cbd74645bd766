/** The ledger, and those of its pages that are written again beside everything else when the output folder was lost. */
import { availableParallelism } from "node:os";
import { Ledger } from "./ledger/ledger.ts";
import type { RenderOptions } from "./options.ts";
import { restore, type Restoration } from "./recipes/restore.ts";
import type { Started } from "./start.ts";

export class Beside {
  readonly #options: RenderOptions;
  #ledger: Ledger | undefined;
  #restoration: Restoration | null = null;

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  /** Opened when it is first asked for: a build that cannot begin leaves no trace of one. */
  get ledger(): Ledger {
    const { stateDir, outDir } = this.#options;
    return (this.#ledger ??= new Ledger(stateDir, outDir));
  }

  /** Files that are being written again. */
  get restoring(): ReadonlySet<string> {
    return this.#restoration?.restoring ?? new Set();
  }

  /** Those of them that were, once all are. */
  get restored(): Promise<ReadonlySet<string>> {
    return this.#restoration?.restored ?? Promise.resolve(new Set());
  }

  /** Begins to write again what is missing. Of pages that are all to be compared with Astro's own, nothing is. */
  restore({ bundle, pool }: Started): void {
    const { verifyAll = false, threads = availableParallelism() } = this.#options;
    if (verifyAll) return;
    this.#restoration = restore(this.ledger.recipes, { ...this.#options, bundle, threads });
    if (this.#restoration !== null) pool.holdBack();
  }

  /** Ends the threads, wherever they are. */
  async stop(): Promise<void> {
    await this.#restoration?.close();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#ledger?.close();
  }
}
