/** What the engine and its threads say to each other. Paths go as plain lists: a page costs one string. */
import type { SharedFragments } from "../fragments/fragments.ts";
import type { Props, RoutePages } from "../inside/types.ts";

export interface ThreadData {
  /** The bundle's module to import. */
  readonly door: string;
  readonly outDir: string;
  readonly verifyAll: boolean;
}

/** Pages of one route, to render and write. */
export interface Batch {
  readonly route: number;
  readonly paths: readonly string[];
  /** File of each page, from the output folder. */
  readonly files: readonly string[];
  readonly props: readonly Props[] | null;
  /** For a page that was lost and is written again as it was: when it was written, in seconds. */
  readonly mtimes: readonly (number | null)[];
}

/** What became of each page of a batch, by position. */
export interface BatchDone {
  readonly written: readonly boolean[];
  readonly sizes: readonly number[];
  readonly mtimes: readonly number[];
}

export type Request =
  | { readonly type: "list" }
  | { readonly type: "open"; readonly fragments: SharedFragments | null }
  | { readonly type: "render"; readonly batch: Batch };

export interface Answers {
  readonly list: RoutePages[];
  readonly open: null;
  readonly render: BatchDone;
}

export type Reply =
  | { readonly type: "done"; readonly value: Answers[keyof Answers] }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "slow"; readonly component: string; readonly reason: string };
