/**
 * Renders a site from a bundle: only the pages that differ from what lies in the output folder, on every core.
 *
 * Knows nothing of quotes: pages come from the routes' own `getStaticPaths`, and what a page is made from is its
 * `cacheKey` there.
 */
import { availableParallelism } from "node:os";
import { DiskError } from "../../contract/errors.ts";
import { copyAsset } from "./assets.ts";
import { planBuild } from "./build-plan.ts";
import type { Bundle } from "./bundle/bundle.ts";
import { FragmentFile } from "./fragments/fragment-file.ts";
import { removeFile } from "./leavings.ts";
import { writeChanges, type ChangeCounts } from "./ledger/changes.ts";
import { Ledger } from "./ledger/ledger.ts";
import { collectGarbage } from "./memory.ts";
import type { RenderOptions } from "./options.ts";
import { RecipeFile } from "./recipes/recipe-file.ts";
import { restore, type Restoration } from "./recipes/restore.ts";
import { removeShare, writeShare } from "./shards/shard.ts";
import { start, type Started } from "./start.ts";
import { batchesOf, recordsOf } from "./work/batches.ts";
import type { Pool } from "./work/pool.ts";

export interface RenderReport {
  /** Pages of the site, or of the shard. */
  readonly pages: number;
  readonly rendered: number;
  /** Pages that were missing and were put together again without being rendered. */
  readonly restored: number;
  /** Pages whose bytes differed, and those restored; assets not counted. */
  readonly written: number;
  /** By the page's source file. */
  readonly pagesByRoute: Readonly<Record<string, number>>;
  readonly changes: ChangeCounts;
  /** Routes that go Astro's own, slower way, and why. */
  readonly slow: Readonly<Record<string, string>>;
}

/** At a guess, quotes for each page: a table of fragments with this much room is seldom made anew. */
const FRAGMENTS_A_PAGE = 4;

/** @throws {DiskError} when the output or state folder cannot be written */
export async function renderSite(options: RenderOptions): Promise<RenderReport> {
  const { signal } = options;
  const slow: Record<string, string> = {};
  const beside = new Beside(options);
  try {
    const { bundle, pool } = await start(
      options,
      (component, reason) => (slow[component] = reason),
      (kept) => beside.restore(kept),
    );
    const stop = (): void => void Promise.all([pool.close(), beside.stop()]);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      signal?.throwIfAborted();
      return { ...(await renderAll(options, bundle, pool, beside)), slow };
    } catch (error) {
      signal?.throwIfAborted();
      throw diskErrorOf(error);
    } finally {
      signal?.removeEventListener("abort", stop);
      await pool.close();
    }
  } finally {
    await beside.close();
  }
}

/** What the ledger tells of the last run's pages, and those of them that are written again beside everything else. */
class Beside {
  readonly #options: RenderOptions;
  #ledger: Ledger | undefined;
  #restoration: Restoration | null = null;

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  get ledger(): Ledger {
    const { stateDir, outDir } = this.#options;
    return (this.#ledger ??= new Ledger(stateDir, outDir));
  }

  get restored(): Promise<ReadonlySet<string>> {
    return this.#restoration?.restored ?? Promise.resolve(new Set());
  }

  /** Begins to write again what is missing. Of pages that are to be compared with Astro's, nothing is. */
  restore({ bundle, pool }: Started): void {
    const { verifyAll = false, threads = availableParallelism() } = this.#options;
    if (verifyAll) return;
    const { recipes } = this.ledger;
    this.#restoration = restore(recipes, { ...this.#options, bundle, threads });
    if (this.#restoration !== null) pool.holdBack();
  }

  async stop(): Promise<void> {
    await this.#restoration?.close();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#ledger?.close();
  }
}

async function renderAll(
  options: RenderOptions,
  bundle: Bundle,
  pool: Pool,
  beside: Beside,
): Promise<Omit<RenderReport, "slow">> {
  const { stateDir, outDir, onProgress } = options;
  // A thread lists the pages while this one reads what lies in the folder. If that fails, nobody awaits the list.
  const listing = pool.list();
  listing.catch(() => undefined);
  const { ledger } = beside;
  const { entries } = ledger;
  const restored = await beside.restored;
  const routes = await listing;
  const plan = planBuild({ ...options, bundle, restored }, entries, routes);
  const { pages, stale, gone, assets, share, fresh } = plan;
  removeShare(outDir);
  const fragments = new FragmentFile(stateDir, bundle.digest, {
    expected: pages * FRAGMENTS_A_PAGE,
    pages: stale.length,
  });
  const recipes = new RecipeFile(ledger.recipes, {
    ...{ stateDir, bundle: bundle.digest, fragments: fragments.seed },
  });
  ledger.distrust(stale.map(({ file }) => file));
  for (const path of gone) removeFile(outDir, path);
  ledger.remove(gone);
  ledger.record(assets.map((path) => copyAsset(bundle.assets, outDir, path, bundle.digest)));
  collectGarbage();
  let rendered = 0;
  let written = plan.restored;
  const batches = batchesOf(stale, entries);
  // A share of the site holds half of the fragments, and so does a night: they are made where they are first wanted.
  const fill = fragments.isEmpty && (options.shard ?? null) === null;
  const work = { fragments: fragments.shared, fresh, fill, pages: stale.length };
  try {
    await pool.render(work, batches, (batch, done) => {
      fragments.flush();
      const records = recordsOf(batch, done, (block) => recipes.append(block));
      ledger.record(records);
      rendered += records.length;
      written += records.filter((record) => record.written).length;
      onProgress?.(rendered, stale.length);
    });
    if (fragments.save()) recipes.save();
  } finally {
    recipes.close();
  }
  const changes = writeChanges(stateDir, ledger.changes());
  ledger.complete();
  if (share !== null) writeShare(outDir, share);
  const counts = routes.map((of): [string, number] => [of.component, of.paths.length]);
  const pagesByRoute = Object.fromEntries(counts);
  return { pages, rendered, restored: plan.restored, written, pagesByRoute, changes };
}

/** The file system's refusals, by their codes; anything else is a bug. */
const REFUSED = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENAMETOOLONG|ENFILE|ENOSPC|ENOTDIR|EPERM|EROFS)$/;

function diskErrorOf(error: unknown): unknown {
  const { code = "", path = "the output folder" } = error as NodeJS.ErrnoException;
  return REFUSED.test(code)
    ? new DiskError(`Cannot write ${path}: ${code}`, { cause: error })
    : error;
}
