/**
 * Renders a site from a bundle: only the pages that differ from what lies in the output folder, on every core.
 *
 * Knows nothing of quotes: pages come from the routes' own `getStaticPaths`, and what a page is made from is its
 * `cacheKey` there.
 */
import { DiskError } from "../../contract/errors.ts";
import { copyAsset } from "./assets.ts";
import { planBuild } from "./build-plan.ts";
import type { Bundle } from "./bundle/bundle.ts";
import { FragmentFile } from "./fragments/fragment-file.ts";
import { removeFile } from "./leavings.ts";
import { writeChanges, type ChangeCounts } from "./ledger/changes.ts";
import { Ledger } from "./ledger/ledger.ts";
import { collectGarbage } from "./memory.ts";
import type { RoutePages } from "./inside/types.ts";
import type { RenderOptions } from "./options.ts";
import { removeShare, writeShare } from "./shards/shard.ts";
import { start } from "./start.ts";
import { batchesOf, recordsOf } from "./work/batches.ts";
import type { Pool } from "./work/pool.ts";

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

/**
 * At a guess, quotes for each page of the whole site: a table of fragments with this much room is seldom made anew. A
 * share has a part of the pages and more than that part of the fragments.
 */
const FRAGMENTS_A_PAGE = 4;

/** @throws {DiskError} when the output or state folder cannot be written */
export async function renderSite(options: RenderOptions): Promise<RenderReport> {
  const { signal } = options;
  const slow: Record<string, string> = {};
  const { bundle, pool } = await start(options, (component, reason) => (slow[component] = reason));
  const stop = (): void => void pool.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    signal?.throwIfAborted();
    return { ...(await renderAll(options, bundle, pool)), slow };
  } catch (error) {
    signal?.throwIfAborted();
    throw diskErrorOf(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool.close();
  }
}

async function renderAll(
  options: RenderOptions,
  bundle: Bundle,
  pool: Pool,
): Promise<Omit<RenderReport, "slow">> {
  const { stateDir, outDir, onProgress } = options;
  // A thread lists the pages while this one reads what lies in the folder. If that fails, nobody awaits the list.
  const listing = pool.list();
  listing.catch(() => undefined);
  const ledger = new Ledger(stateDir, outDir);
  try {
    const routes = await listing;
    const plan = planBuild({ ...options, bundle }, ledger.entries, routes);
    const { pages, stale, gone, assets, share, fresh } = plan;
    removeShare(outDir);
    const fragments = new FragmentFile(stateDir, bundle.digest, {
      expected: pagesOf(routes) * FRAGMENTS_A_PAGE,
      pages: stale.length,
    });
    ledger.distrust(stale.map(({ file }) => file));
    for (const path of gone) removeFile(outDir, path);
    ledger.remove(gone);
    ledger.record(assets.map((path) => copyAsset(bundle.assets, outDir, path, bundle.digest)));
    collectGarbage();
    let rendered = 0;
    let written = 0;
    const batches = batchesOf(stale, ledger.entries);
    // A share of the site holds half of the fragments, and so does a night: they are made where they are first wanted.
    const fill = fragments.isEmpty && (options.shard ?? null) === null;
    await pool.render({ fragments: fragments.shared, fresh, fill }, batches, (batch, done) => {
      fragments.flush();
      const records = recordsOf(batch, done);
      ledger.record(records);
      rendered += records.length;
      written += records.filter((record) => record.written).length;
      onProgress?.(rendered, stale.length);
    });
    fragments.save();
    const changes = writeChanges(stateDir, ledger.changes());
    ledger.complete();
    if (share !== null) writeShare(outDir, share);
    const counts = routes.map((of): [string, number] => [of.component, of.paths.length]);
    return { pages, rendered, written, pagesByRoute: Object.fromEntries(counts), changes };
  } finally {
    ledger.close();
  }
}

function pagesOf(routes: readonly RoutePages[]): number {
  return routes.reduce((sum, { paths }) => sum + paths.length, 0);
}

/** The file system's refusals, by their codes; anything else is a bug. */
const REFUSED = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENAMETOOLONG|ENFILE|ENOSPC|ENOTDIR|EPERM|EROFS)$/;

function diskErrorOf(error: unknown): unknown {
  const { code = "", path = "the output folder" } = error as NodeJS.ErrnoException;
  return REFUSED.test(code)
    ? new DiskError(`Cannot write ${path}: ${code}`, { cause: error })
    : error;
}
