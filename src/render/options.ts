/** What `renderPages()` is told in `astro.config.mjs`. */
import type { Shard } from "./shard.ts";

export interface RenderOptions {
  /** Routes whose pages the threads render, as Astro writes them: `/tag/[slug]/[...page]`. */
  readonly bulk: readonly string[];
  /** Folder of what is remembered from build to build. */
  readonly stateDir: string;
  /** All that pages read besides the bundle and what their `cacheKey` names: settings. */
  readonly key?: string | undefined;
  /** Module that makes what the pages read; it is run in a thread while Vite bundles. */
  readonly prepare?: URL | undefined;
  /** Module of components that are rendered once (`MemoModule`). */
  readonly memo?: URL | undefined;
  /** Renders this share of the pages alone. */
  readonly shard?: Shard | null | undefined;
  readonly threads?: number | undefined;
}
