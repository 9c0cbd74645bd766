/**
 * A thread of the pool: renders memoised components and pages of bulk routes, and writes the pages itself.
 *
 * Vite bundles this module with the pages, so that both use one copy of Astro's runtime. Outside of a bundle it cannot be
 * imported: `astro/app/entrypoint` and `virtual:commonplace/memo` exist only for Vite.
 */
import { Console } from "node:console";
import { createApp } from "astro/app/entrypoint";
import * as memo from "virtual:commonplace/memo";
import { failureOf, Refusal, type Failure } from "../contract/errors.ts";
import type { Part } from "../contract/work.ts";
import {
  NeedsRequest,
  openRoute,
  refusePage,
  type BulkRoute,
  type Piece,
} from "./astro-internals.ts";
import { Memo, MemoWriter, type MemoBlock } from "./memo.ts";
import { PageWriter, type PageFile } from "./page-writer.ts";
import type { NewRecord } from "./written-files.ts";

/** A page of a bulk route that is not current; its key is empty where its route does not say what it is made from. */
export interface BulkPage extends PageFile {
  /** As Astro writes it: `/tag/[slug]/[...page]`. */
  readonly route: string;
  readonly path: string;
  /** Rendered as Astro does, from a request: endpoints, and every page where there is middleware. */
  readonly byRequest: boolean;
  /** False where no page of its route has any. */
  readonly hasProps: boolean;
}

export type Reply<Answer> = { readonly answer: Answer } | { readonly failure: Failure };

// As in the process of the command, whose stdout this would be.
globalThis.console = new Console(process.stderr);

const app = createApp({ streaming: false });
const routes = new Map<string, Promise<BulkRoute>>();
let writer: PageWriter | undefined;
let known: readonly MemoBlock[] = [];
let kept = new Memo(known);
memo.use((id) => kept.find(id));

/**
 * Renders the memoised components of a part that no block holds.
 *
 * @param task.page any page that is rendered without a request: Astro shows on it what it hands to a component
 * @returns what was rendered, how many components the part has, and whether all could be memoised
 */
export const fill = replying(
  async ({ page, part }: { readonly page: BulkPage; readonly part: Part }) => {
    const made = new MemoWriter();
    const route = await open(page);
    let shown = 0;
    for (const [id, key, props] of memo.entries(part, (...entry) => kept.has(...entry))) {
      shown++;
      if (props === null) continue;
      // Where one fails, the pages that show it do, and say why.
      const markup = await route.renderComponent(memo.component, props).catch(() => null);
      if (markup === null) return { block: made.block, shown, isComplete: false };
      made.add(id, key, markup);
    }
    return { block: made.block, shown, isComplete: true };
  },
);

/** Renders a page to compare with Astro's own rendering; it is not written. */
export const renderSample = replying(async ({ page }: { readonly page: BulkPage }) =>
  Buffer.concat((await render(page)).map((piece) => Buffer.from(piece as string))),
);

/** Renders pages of one route, and writes them. */
export const renderBatch = replying(
  async ({ pages, outDir }: { readonly pages: readonly BulkPage[]; readonly outDir: string }) => {
    writer ??= new PageWriter(outDir);
    const records: NewRecord[] = [];
    for (const page of pages) records.push(writer.write(page, await render(page)));
    return records;
  },
);

/**
 * A function that first takes over the blocks of memoised components: all that there are, and none when one cannot be
 * memoised. It never throws: a failure is part of the reply, with all that an error says.
 */
function replying<Task, Answer>(work: (task: Task) => Promise<Answer>) {
  return async (task: Task & { readonly blocks: readonly MemoBlock[] }): Promise<Reply<Answer>> => {
    try {
      if (task.blocks.length !== known.length) {
        known = task.blocks;
        kept = new Memo(known);
      }
      return { answer: await work(task) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
}

/** Opened without a memo: what Astro renders meanwhile is nothing but an occasion. */
function open({ route: pattern, path, hasProps }: BulkPage): Promise<BulkRoute> {
  return routes.getOrInsertComputed(pattern, () => openRoute(app, pattern, path, hasProps));
}

async function render(page: BulkPage): Promise<readonly Piece[]> {
  const { path, byRequest } = page;
  const route = await open(page);
  try {
    return byRequest ? [await route.renderByRequest(path)] : await route.render(path);
  } catch (error) {
    if (error instanceof NeedsRequest) throw refusePage(page, error.message);
    if (error instanceof Refusal) throw error;
    const { message, code, path: file } = failureOf(error);
    const why = `Cannot render ${path} (${route.component}): ${message}`;
    throw Object.assign(new Error(why, { cause: error }), { code, path: file });
  }
}
