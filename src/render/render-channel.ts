/** What a build says while it renders. A module of its own, since the process that listens must not load Astro. */
import type { ChangeCounts } from "./written-files.ts";

export interface RenderReport {
  /** Pages and endpoints of the site, or of the shard. */
  readonly pages: number;
  /** Whether the bundle of an earlier build was used. */
  readonly bundle: "made" | "kept";
  readonly rendered: number;
  /** Files whose bytes changed. */
  readonly written: number;
  readonly changes: ChangeCounts;
  /** What pages say of themselves, one line each. */
  readonly remarks?: readonly string[];
}

/** Published on `RENDER_CHANNEL` during a build, and at its end. */
export type RenderMessage =
  { readonly rendered: number; readonly of: number } | { readonly report: RenderReport };

export const RENDER_CHANNEL = "commonplace:render";
