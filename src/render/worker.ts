/**
 * A thread of the pool: renders memoised components and pages of bulk routes, and writes the pages itself.
 *
 * Vite bundles this module with the pages, so that both use one copy of Astro's runtime. Outside of a bundle it cannot be
 * imported: `astro/app/entrypoint` and `virtual:commonplace/memo` exist only for Vite.
 */
import { createApp } from "astro/app/entrypoint";
import * as memoModule from "virtual:commonplace/memo";
import { Refusal } from "../contract/errors.ts";
import type { Part } from "../contract/part.ts";
import { BulkRoute, NeedsRequest, type Piece } from "./astro-internals.ts";
import { failureOf, type Failure } from "./failure.ts";
import { Memo, MemoWriter, type MemoBlock, type MemoModule } from "./memo.ts";
import { PageWriter, type Written } from "./page-writer.ts";

/** Pages of one route. */
export interface Batch {
  readonly type: "pages";
  /** As Astro writes it: `/tag/[slug]/[...page]`. */
  readonly route: string;
  readonly byRequest: boolean;
  readonly blocks: readonly MemoBlock[];
  readonly outDir: string;
  readonly paths: readonly string[];
  /** File of each page, from the output folder. */
  readonly files: readonly string[];
  /** For a page that was lost and is made from the same as before: when it was written, in seconds. */
  readonly mtimes: readonly (number | null)[];
}

/** A page to compare with Astro's own rendering; it is not written. */
export interface Sample {
  readonly type: "sample";
  readonly route: string;
  readonly byRequest: boolean;
  readonly blocks: readonly MemoBlock[];
  readonly path: string;
}

/** A part of the memoised components, of which those that no block holds are rendered. */
export interface Fill {
  readonly type: "fill";
  readonly route: string;
  /** Any page of the route: Astro shows on it what it hands to a component. */
  readonly path: string;
  readonly part: Part;
  readonly blocks: readonly MemoBlock[];
}

export interface Filled {
  readonly block: MemoBlock;
  /** Components in the part, kept before or not. */
  readonly shown: number;
  /** False when a component cannot be memoised. */
  readonly complete: boolean;
}

export type Task = Batch | Sample | Fill;
export type Answer = readonly Written[] | Uint8Array | Filled;
export type Reply = { readonly answer: Answer } | { readonly failure: Failure };

const app = createApp({ streaming: false });
const memo = memoModule as Partial<MemoModule>;
const routes = new Map<string, Promise<BulkRoute>>();
let writer: PageWriter | undefined;
let kept = new Memo();
/** Blocks of it. */
let known = 0;

/** Opened without a memo: what Astro renders meanwhile is nothing but an occasion. */
function open(pattern: string, path: string): Promise<BulkRoute> {
  let route = routes.get(pattern);
  if (route === undefined) routes.set(pattern, (route = BulkRoute.open(app, pattern, path)));
  return route;
}

/** Blocks are sent with every task, and only more come; none at all when one component cannot be memoised. */
function useBlocks(blocks: readonly MemoBlock[]): void {
  if (blocks.length === known) return;
  if (blocks.length < known) {
    kept = new Memo();
    known = 0;
  }
  for (const block of blocks.slice(known)) kept.add(block);
  known = blocks.length;
  const all = kept;
  memo.use?.((key) => all.find(key));
}

async function render(
  route: BulkRoute,
  path: string,
  byRequest: boolean,
): Promise<readonly Piece[]> {
  try {
    return byRequest ? [await route.renderByRequest(path)] : await route.render(path);
  } catch (error) {
    if (error instanceof NeedsRequest || error instanceof Refusal) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const { code, path: file } = error as NodeJS.ErrnoException;
    throw Object.assign(
      new Error(`Cannot render ${path} (${route.component}): ${why}`, { cause: error }),
      { code, path: file },
    );
  }
}

async function fill({ route, path, part, blocks }: Fill): Promise<Filled> {
  useBlocks(blocks);
  const made = new MemoWriter();
  let shown = 0;
  const { component } = memo;
  if (component === undefined || memo.entries === undefined) {
    return { block: made.block, shown, complete: true };
  }
  const page = await open(route, path);
  for (const [key, props] of memo.entries(part, (key) => kept.has(key))) {
    shown++;
    if (props === null) continue;
    const markup = await page.renderComponent(component, props);
    if (markup === null) return { block: made.block, shown, complete: false };
    made.add(key, markup);
  }
  return { block: made.block, shown, complete: true };
}

async function renderBatch(batch: Batch): Promise<readonly Written[]> {
  useBlocks(batch.blocks);
  writer ??= new PageWriter(batch.outDir);
  const written: Written[] = [];
  const route = await open(batch.route, batch.paths[0] ?? "");
  for (const [place, path] of batch.paths.entries()) {
    const pieces = await render(route, path, batch.byRequest);
    const { [place]: file = "" } = batch.files;
    const { [place]: mtime = null } = batch.mtimes;
    written.push(writer.write(file, pieces, mtime));
  }
  return written;
}

async function renderSample({ route, path, byRequest, blocks }: Sample): Promise<Uint8Array> {
  useBlocks(blocks);
  const pieces = await render(await open(route, path), path, byRequest);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
}

/** @throws nothing: what went wrong is part of the reply, with all that an error says */
export default async function run(task: Task): Promise<Reply> {
  try {
    if (task.type === "fill") return { answer: await fill(task) };
    return { answer: await (task.type === "sample" ? renderSample(task) : renderBatch(task)) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
