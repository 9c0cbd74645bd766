/**
 * Renders a site from a bundle: only the pages that differ from what lies in the output folder, on every core.
 *
 * Knows nothing of quotes: pages come from the routes' own `getStaticPaths`, and what a page is made from is its
 * `cacheKey` there.
 */
import { DiskError } from "../contract/errors.ts";
import { Folders } from "../files/folders.ts";
import { copyAsset } from "./assets.ts";
import { Beside } from "./beside.ts";
import { planBuild } from "./build-plan.ts";
import { FragmentFile } from "./fragments/fragment-file.ts";
import { writeChanges, type ChangeCounts } from "./ledger/changes.ts";
import { collectGarbage } from "./memory.ts";
import type { RoutePages } from "./inside/types.ts";
import type { Entry } from "./ledger/ledger.ts";
import type { RenderOptions } from "./options.ts";
import { filesAsRecorded, isAsRecorded, isCurrent, type PageFile } from "./pages.ts";
import { RecipeFile } from "./recipes/recipe-file.ts";
import { removeShare, writeShare } from "./shards/shard.ts";
import { start, type Started } from "./start.ts";
import { PageRendering } from "./work/rendering.ts";

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

/**
 * At a guess, quotes for each page of the whole site: a table of fragments with this much room is seldom made anew. A
 * share has a part of the pages and more than that part of the fragments.
 */
const FRAGMENTS_A_PAGE = 4;

/** @throws {DiskError} when the output or state folder cannot be written */
export async function renderSite(options: RenderOptions): Promise<RenderReport> {
  const { signal } = options;
  const slow: Record<string, string> = {};
  const beside = new Beside(options);
  try {
    const started = await start(options, (component, reason) => (slow[component] = reason), beside);
    const { pool } = started;
    const stop = (): void => void Promise.all([pool.close(), beside.stop()]);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      signal?.throwIfAborted();
      return { ...(await renderAll(options, started, beside)), slow };
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

async function renderAll(
  options: RenderOptions,
  { bundle, pool }: Started,
  beside: Beside,
): Promise<Omit<RenderReport, "slow">> {
  const { stateDir, outDir, onProgress } = options;
  // A thread lists the pages while this one reads what lies in the folder. If that fails, nobody awaits the list.
  const listing = pool.list();
  listing.catch(() => undefined);
  const { ledger, restoring } = beside;
  const { entries } = ledger;
  // Where files come back meanwhile, one that is missing now says nothing, and the processors are wanted.
  const seen = restoring.size === 0 ? filesAsRecorded(outDir, entries) : null;
  const isThere = (file: string, entry: Entry): boolean =>
    seen?.has(file) ?? isAsRecorded(outDir, file, entry);
  const routes = await listing;
  const plan = planBuild({ ...options, bundle, isThere, restoring }, entries, routes);
  const { pages, stale, promised, gone, assets, share, fresh } = plan;
  // Whoever writes a page again does not know that something else is to stand there now, or nothing.
  if ([...gone, ...assets].some((file) => restoring.has(file))) await beside.restored;
  removeShare(outDir);
  const expected = { expected: pagesOf(routes) * FRAGMENTS_A_PAGE, pages: stale.length };
  const fragments = new FragmentFile(stateDir, bundle.digest, expected);
  const store = { stateDir, bundle: bundle.digest, fragments: fragments.seed };
  const recipes = new RecipeFile(ledger.recipes, store);
  ledger.distrust(filesOf(stale));
  const folders = new Folders(outDir);
  for (const path of gone) folders.removeFile(path);
  ledger.remove(gone);
  const copied = assets.map((path) =>
    copyAsset(bundle.assets, folders, path, bundle.digest, entries.get(path)),
  );
  ledger.record(copied);
  collectGarbage();
  const rendering = new PageRendering({
    ...{ pool, ledger, fragments, recipes, fresh },
    // A share of the site holds half of the fragments, and so does a night: they are made where they are first wanted.
    fill: fragments.isEmpty && (options.shard ?? null) === null,
    onRendered: (rendered) => onProgress?.(rendered, stale.length),
  });
  await rendering.render(stale.filter(({ file }) => !restoring.has(file)));
  const restored = await beside.restored;
  const lost = promised.filter(
    ({ file, key }) => !restored.has(file) && !isCurrent(outDir, file, key, entries.get(file)),
  );
  ledger.distrust(filesOf(lost));
  await rendering.render([...stale.filter(({ file }) => restoring.has(file)), ...lost]);
  if (fragments.save()) recipes.save();
  const again = promised.filter(({ file }) => restored.has(file)).length;
  const changes = writeChanges(stateDir, ledger.changes());
  ledger.complete();
  if (share !== null) writeShare(outDir, share);
  return {
    pages,
    rendered: rendering.rendered,
    restored: again,
    written: rendering.written + again,
    pagesByRoute: Object.fromEntries(routes.map((of) => [of.component, of.paths.length])),
    changes,
  };
}

function filesOf(pages: readonly PageFile[]): string[] {
  return pages.map(({ file }) => file);
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
