/** What a site is rendered from, and how. */
import type { BundleOptions } from "./bundle/bundle.ts";
import type { Shard } from "./shards/shard.ts";

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
