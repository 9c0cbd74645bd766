/**
 * A thread of the pool: renders memoised components and pages of bulk routes, and writes the pages itself.
 *
 * Vite bundles this module with the pages, so that both use one copy of Astro's runtime. Outside of a bundle it cannot be
 * imported: `astro/app/entrypoint` and `virtual:commonplace/memo` exist only for Vite.
 */
import { createApp } from "astro/app/entrypoint";
import * as memoModule from "virtual:commonplace/memo";
import { failureOf, Refusal, type Failure } from "../contract/errors.ts";
import type { Part } from "../contract/work.ts";
import { BulkRoute, NeedsRequest, type Piece } from "./astro-internals.ts";
import { Memo, MemoWriter, type MemoBlock, type MemoModule } from "./memo.ts";
import { PageWriter } from "./page-writer.ts";
import type { NewRecord } from "./written-files.ts";

/** A page of a bulk route that is not current. */
export interface BulkPage {
  /** As Astro writes it: `/tag/[slug]/[...page]`. */
  readonly route: string;
  readonly path: string;
  /** From the output folder. */
  readonly file: string;
  /** What the page is made from; empty where its route does not say. */
  readonly key: string;
  /** Rendered as Astro does, from a request: endpoints, and every page where there is middleware. */
  readonly byRequest: boolean;
  /** False where no page of its route has any. */
  readonly hasProps: boolean;
  /** When the page was written that was lost and is made from the same as before, in seconds; null for any other. */
  readonly mtime: number | null;
}

interface Task {
  /** All blocks of memoised components that there are: only more come, and none when one cannot be memoised. */
  readonly blocks: readonly MemoBlock[];
}

/** Pages of one route, to be written. */
export interface Batch extends Task {
  readonly pages: readonly BulkPage[];
  readonly outDir: string;
}

/** A page to compare with Astro's own rendering; it is not written. */
export interface Sample extends Task {
  readonly page: BulkPage;
}

/** A part of the memoised components, of which those that no block holds are rendered. */
export interface Fill extends Task {
  /** Any page that is rendered without a request: Astro shows on it what it hands to a component. */
  readonly page: BulkPage;
  readonly part: Part;
}

export interface Filled {
  readonly block: MemoBlock;
  /** Components in the part, kept before or not. */
  readonly shown: number;
  /** False when a component cannot be memoised. */
  readonly complete: boolean;
}

export type Reply<Answer> = { readonly answer: Answer } | { readonly failure: Failure };

const app = createApp({ streaming: false });
const memo = memoModule as Partial<MemoModule>;
const routes = new Map<string, Promise<BulkRoute>>();
let writer: PageWriter | undefined;
let kept = new Memo();
/** Blocks of it. */
let known = 0;

export const fill = replying(async ({ page, part }: Fill): Promise<Filled> => {
  const made = new MemoWriter();
  let shown = 0;
  const { component } = memo;
  if (component === undefined || memo.entries === undefined) {
    return { block: made.block, shown, complete: true };
  }
  const route = await open(page);
  for (const [id, key, props] of memo.entries(part, (...entry) => kept.has(...entry))) {
    shown++;
    if (props === null) continue;
    const markup = await route.renderComponent(component, props);
    if (markup === null) return { block: made.block, shown, complete: false };
    made.add(id, key, markup);
  }
  return { block: made.block, shown, complete: true };
});

export const renderSample = replying(async ({ page }: Sample): Promise<Uint8Array> => {
  const pieces = await render(page);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
});

export const renderBatch = replying(async ({ pages, outDir }: Batch): Promise<NewRecord[]> => {
  writer ??= new PageWriter(outDir);
  const records: NewRecord[] = [];
  for (const page of pages) {
    const { file, key, mtime } = page;
    records.push({ file, key, ...writer.write(file, await render(page), mtime) });
  }
  return records;
});

/** Never throws: a failure is part of the reply, with all that an error says. */
function replying<T extends Task, Answer>(work: (task: T) => Promise<Answer>) {
  return async (task: T): Promise<Reply<Answer>> => {
    try {
      useBlocks(task.blocks);
      return { answer: await work(task) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
}

/** Opened without a memo: what Astro renders meanwhile is nothing but an occasion. */
function open({ route: pattern, path, hasProps }: BulkPage): Promise<BulkRoute> {
  return routes.getOrInsertComputed(pattern, () => BulkRoute.open(app, pattern, path, hasProps));
}

function useBlocks(blocks: readonly MemoBlock[]): void {
  if (blocks.length === known) return;
  if (blocks.length < known) {
    kept = new Memo();
    known = 0;
  }
  for (const block of blocks.slice(known)) kept.add(block);
  known = blocks.length;
  const all = kept;
  memo.use?.((id) => all.find(id));
}

async function render(page: BulkPage): Promise<readonly Piece[]> {
  const { path, byRequest } = page;
  const route = await open(page);
  try {
    return byRequest ? [await route.renderByRequest(path)] : await route.render(path);
  } catch (error) {
    if (error instanceof NeedsRequest || error instanceof Refusal) throw error;
    const { message, code, path: file } = failureOf(error);
    const why = `Cannot render ${path} (${route.component}): ${message}`;
    throw Object.assign(new Error(why, { cause: error }), { code, path: file });
  }
}
