/** What Astro renders a page into and hands to each component: its `SSRResult`, which it does not export under that name. */
import type { renderStreaming } from "astro/runtime/server/index.js";

export type Rendering = Parameters<typeof renderStreaming>[1];
