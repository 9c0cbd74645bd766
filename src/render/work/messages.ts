/** What the engine and its threads say to each other. Paths go as plain lists: a page costs one string. */
import type { Part } from "../../contract/part.ts";
import type { Failure } from "./failure.ts";
import type { SharedFragments } from "../fragments/fragments.ts";
import type { Props, RoutePages } from "../inside/types.ts";

export interface ThreadData {
  readonly outDir: string;
  readonly verifyAll: boolean;
  /** One number of 32 bits: how many threads have started. */
  readonly turn: SharedArrayBuffer;
  /** Of this thread, from 0. */
  readonly place: number;
}

/** What the threads work with. */
export interface Resources {
  readonly fragments: SharedFragments;
  /** The output folder is empty: no need to look what is there. */
  readonly fresh: boolean;
  /** The part of all fragments that this thread makes before its first page; null where few of them will be wanted. */
  readonly fill: Part | null;
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
  /** Pages whose bytes have to be digested, since no key says what they are made from: the digest that each had, or "". */
  readonly digestsBefore: readonly (string | null)[];
}

/** What became of each page of a batch, by position. */
export interface BatchDone {
  readonly written: readonly boolean[];
  readonly sizes: readonly number[];
  readonly mtimes: readonly number[];
  /** Of the bytes, where they were asked for. */
  readonly digests: readonly (string | null)[];
  /** CRC-32 of each page. */
  readonly checksums: readonly number[];
  /** Of each page in the recipes; null where it has none. */
  readonly places: readonly (number | null)[];
  /** What the pages were put together from. */
  readonly recipes: Uint8Array<ArrayBuffer> | null;
}

export type Request =
  | { readonly type: "list" }
  | { readonly type: "open"; readonly resources: Resources }
  | { readonly type: "render"; readonly batch: Batch };

export interface Answers {
  readonly list: RoutePages[];
  readonly open: null;
  readonly render: BatchDone;
}

export type Reply =
  | { readonly type: "done"; readonly value: Answers[keyof Answers] }
  | ({ readonly type: "failed" } & Failure)
  | { readonly type: "slow"; readonly component: string; readonly reason: string };
