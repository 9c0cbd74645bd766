/** Pages on their way through the threads: what they are made with, what is remembered of each, how many there were. */
import type { FragmentFile } from "../fragments/fragment-file.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PageFile } from "../pages.ts";
import type { RecipeFile } from "../recipes/recipe-file.ts";
import { batchesOf, recordsOf } from "./batches.ts";
import type { Pool } from "./pool.ts";

export interface RenderingOptions {
  readonly pool: Pool;
  readonly ledger: Ledger;
  readonly fragments: FragmentFile;
  readonly recipes: RecipeFile;
  readonly fresh: boolean;
  /** Whether each thread makes its part of all fragments first. */
  readonly fill: boolean;
  readonly onRendered: (rendered: number) => void;
}

export class PageRendering {
  readonly #options: RenderingOptions;
  #rendered = 0;
  #written = 0;

  constructor(options: RenderingOptions) {
    this.#options = options;
  }

  get rendered(): number {
    return this.#rendered;
  }

  /** Pages whose bytes differed. */
  get written(): number {
    return this.#written;
  }

  /** Renders pages that the ledger does not trust, and records each batch when its recipes are kept. */
  async render(pages: readonly PageFile[]): Promise<void> {
    if (pages.length === 0) return;
    const { pool, ledger, fragments, recipes, fresh, fill, onRendered } = this.#options;
    const work = { fragments: fragments.shared, fresh, fill, pages: pages.length };
    await pool.render(work, batchesOf(pages, ledger.entries), (batch, done) => {
      fragments.flush();
      const records = recordsOf(batch, done, (block) => recipes.append(block));
      ledger.record(records);
      this.#rendered += records.length;
      this.#written += records.filter(({ written }) => written).length;
      onRendered(this.#rendered);
    });
  }
}
