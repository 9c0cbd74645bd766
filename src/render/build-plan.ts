/**
 * What a build has to do: the pages that are not current, the assets, the files that are to go.
 *
 * Two sources that want one file are a mistake of the site's and end the build before anything is touched.
 */
import { assetFiles } from "./assets.ts";
import type { Bundle } from "./bundle/bundle.ts";
import type { RoutePages } from "./inside/types.ts";
import { BUILD_MARKER } from "../files/ownership.ts";
import { isEmptyFolder } from "../files/walk.ts";
import { strangers } from "./leavings.ts";
import { CHANGE, type Entry } from "./ledger/ledger.ts";
import { isOf, pageFiles, type PageFile } from "./pages.ts";
import { shardOf, SiteDigest, type Shard, type Share } from "./shards/shard.ts";

export interface BuildPlan {
  /** Pages in all, current or not. */
  readonly pages: number;
  readonly stale: readonly PageFile[];
  /** Pages that will be current once they are written again as they were. */
  readonly promised: readonly PageFile[];
  /** Assets that are not current. */
  readonly assets: readonly string[];
  /** Files in the output folder that nothing makes any more. */
  readonly gone: readonly string[];
  /** What this share of the site says of itself; null for the whole site. */
  readonly share: Share | null;
  /** Nothing is in the output folder, and nothing is known of it. */
  readonly fresh: boolean;
}

export interface PlanOptions {
  readonly bundle: Bundle;
  readonly outDir: string;
  /** Whether a trusted file is in the output folder as it was recorded. */
  readonly isThere: (file: string, entry: Entry) => boolean;
  readonly shard?: Shard | null;
  /** Files that are being written again as the ledger knows them. */
  readonly restoring: ReadonlySet<string>;
}

export function planBuild(
  { bundle, outDir, isThere, shard = null, restoring }: PlanOptions,
  entries: ReadonlyMap<string, Entry>,
  routes: readonly RoutePages[],
): BuildPlan {
  const wanted = new Set<string>();
  const claim = (file: string, by: string): void => {
    if (wanted.has(file))
      throw new Error(`Cannot render ${file} from ${by}: another source makes it`);
    wanted.add(file);
  };
  const isCurrent = (file: string, key: string): boolean => {
    const entry = entries.get(file);
    return isOf(key, entry) && isThere(file, entry);
  };
  // Each asset goes with one shard, so that no file is in two.
  const all = shard === null || shard.index === 1 ? assetFiles(bundle.assets) : [];
  for (const asset of all) claim(asset, "public/ or the bundle");
  const assets = all.filter((file) => !isCurrent(file, bundle.digest));
  const stale: PageFile[] = [];
  let pages = 0;
  const promised: PageFile[] = [];
  const site = new SiteDigest(bundle.digest);
  for (const page of pageFiles(routes, bundle.digest)) {
    if (shard !== null) {
      site.add(page.file, page.key);
      const near = page.pages.nears?.[page.index] ?? null;
      if (shardOf(page.file, shard.count, near) !== shard.index) continue;
    }
    claim(page.file, page.pages.component);
    pages++;
    const isPromised = restoring.has(page.file) && isOf(page.key, entries.get(page.file));
    if (isPromised) promised.push(page);
    else if (!isCurrent(page.file, page.key)) stale.push(page);
  }
  const gone = [];
  for (const [file, { change }] of entries) {
    if (!wanted.has(file) && change !== CHANGE.removed) gone.push(file);
  }
  const fresh = entries.size === 0 && isEmptyFolder(outDir, BUILD_MARKER);
  if (entries.size === 0) gone.push(...strangers(outDir, (file) => wanted.has(file)));
  const share = shard === null ? null : site.share(shard);
  return { pages, stale, promised, assets, gone, share, fresh };
}
