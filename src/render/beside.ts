/** The ledger, and those of its pages that are written again beside everything else when the output folder was lost. */
import { availableParallelism } from "node:os";
import type { Bundle } from "./bundle/bundle.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { RenderOptions } from "./options.ts";
import { findLost, type Lost, type Restoration } from "./recipes/restore.ts";
import type { Meanwhile } from "./start.ts";

export class Beside implements Meanwhile {
  readonly #options: RenderOptions;
  #ledger: Ledger | undefined;
  #lost: Lost | null = null;
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

  /** Of pages that are all to be compared with Astro's own, none is written again. */
  look(bundle: Bundle): boolean {
    const { verifyAll = false, threads = availableParallelism() } = this.#options;
    const options = { ...this.#options, bundle, threads };
    this.#lost = verifyAll ? null : findLost(this.ledger.recipes, options);
    return this.#lost !== null;
  }

  begin(): void {
    this.#restoration = this.#lost?.restore() ?? null;
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
