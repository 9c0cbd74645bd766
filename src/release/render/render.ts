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
import { keptBundle, makeBundle, type Bundle, type BundleOptions } from "./bundle/bundle.ts";
import { FragmentFile } from "./fragments/fragment-file.ts";
import { removeFile } from "./leavings.ts";
import { writeChanges, type ChangeCounts } from "./ledger/changes.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { Shard } from "./pages.ts";
import { batchesOf, recordsOf } from "./work/batches.ts";
import { Pool } from "./work/pool.ts";

export interface RenderOptions extends BundleOptions {
  readonly outDir: string;
  /** Makes what the pages read. Called once, while the bundle is being made or the threads import it. */
  readonly prepare: () => void;
  /** Renders this share alone; the assets go with the first. */
  readonly shard?: Shard | null;
  /** Compares every page with Astro's own rendering: slow, for tests. */
  readonly verifyAll?: boolean;
  readonly threads?: number;
  readonly onProgress?: (rendered: number, of: number) => void;
}

export interface RenderReport {
  /** Pages of the site, or of the shard. */
  readonly pages: number;
  readonly rendered: number;
  /** Pages whose bytes differed, assets not counted. */
  readonly written: number;
  /** By the page's source file. */
  readonly pagesByRoute: Readonly<Record<string, number>>;
  readonly changes: ChangeCounts;
  /** Routes that go Astro's own, slower way, and why. */
  readonly slow: Readonly<Record<string, string>>;
}

/** At a guess, quotes for each page: a table of fragments with this much room is seldom made anew. */
const FRAGMENTS_A_PAGE = 6;

/** @throws {DiskError} when the output or state folder cannot be written */
export async function renderSite(options: RenderOptions): Promise<RenderReport> {
  const { stateDir, outDir, signal } = options;
  const slow: Record<string, string> = {};
  const { bundle, pool } = await start(options, slow);
  const stop = (): void => void pool.close();
  signal?.addEventListener("abort", stop, { once: true });
  const ledger = new Ledger(stateDir, outDir);
  try {
    signal?.throwIfAborted();
    const routes = await pool.list();
    const plan = planBuild({ ...options, bundle }, ledger.entries, routes);
    const fragments = new FragmentFile(
      stateDir,
      bundle.digest,
      plan.pages * FRAGMENTS_A_PAGE,
      plan.stale.length,
    );
    ledger.distrust(plan.stale.map(({ file }) => file));
    for (const path of plan.gone) removeFile(outDir, path);
    ledger.remove(plan.gone);
    ledger.record(plan.assets.map((path) => copyAsset(bundle.assets, outDir, path, bundle.digest)));
    let rendered = 0;
    let written = 0;
    await pool.render(fragments.shared, batchesOf(plan.stale, ledger.entries), (batch, done) => {
      const records = recordsOf(batch, done);
      ledger.record(records);
      rendered += records.length;
      written += records.filter((record) => record.written).length;
      options.onProgress?.(rendered, plan.stale.length);
    });
    fragments.save();
    const changes = writeChanges(stateDir, ledger.changes());
    ledger.complete();
    return {
      pages: plan.pages,
      rendered,
      written,
      pagesByRoute: Object.fromEntries(routes.map((of) => [of.component, of.paths.length])),
      changes,
      slow,
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw diskErrorOf(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    ledger.close();
    await pool.close();
  }
}

/** Gets the bundle, the threads and what the pages read ready, side by side. */
async function start(
  options: RenderOptions,
  slow: Record<string, string>,
): Promise<{ bundle: Bundle; pool: Pool }> {
  const open = (bundle: Bundle): Pool =>
    new Pool({
      door: bundle.door,
      outDir: options.outDir,
      verifyAll: options.verifyAll ?? false,
      threads: options.threads ?? availableParallelism(),
      env: { ...process.env, ...options.environment, ...options.places },
      onSlow: (component, reason) => (slow[component] = reason),
    });
  const kept = keptBundle(options);
  if (kept !== null) {
    const pool = open(kept);
    try {
      options.prepare();
    } catch (error) {
      await pool.close();
      throw error;
    }
    return { bundle: kept, pool };
  }
  const giveUp = new AbortController();
  const signals = [giveUp.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const making = makeBundle({ ...options, signal: AbortSignal.any(signals) });
  try {
    options.prepare();
  } catch (error) {
    giveUp.abort();
    await making.catch(() => undefined);
    throw error;
  }
  const bundle = await making;
  return { bundle, pool: open(bundle) };
}

/** The file system's refusals, by their codes; anything else is a bug. */
const REFUSED = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENAMETOOLONG|ENFILE|ENOSPC|ENOTDIR|EPERM|EROFS)$/;

function diskErrorOf(error: unknown): unknown {
  const { code = "", path = "the output folder" } = error as NodeJS.ErrnoException;
  return REFUSED.test(code)
    ? new DiskError(`Cannot write ${path}: ${code}`, { cause: error })
    : error;
}
