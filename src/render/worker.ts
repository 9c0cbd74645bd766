/**
 * A worker thread: renders memoised components and pages of bulk routes, and writes the pages.
 *
 * Vite bundles this module with the pages, so that both use one copy of Astro's runtime. It cannot be imported elsewhere:
 * `astro/app/entrypoint` and `virtual:commonplace/memo` exist only in the bundle.
 */
import { Console } from "node:console";
import { createApp } from "astro/app/entrypoint";
import { component, entries, use } from "virtual:commonplace/memo";
import { failureOf, Refusal, type Failure } from "../contract/errors.ts";
import type { Part } from "../util/work.ts";
import { NeedsRequest, openRoute, refusePage, type BulkRoute, type Piece } from "./astro/index.ts";
import { Memo, MemoWriter, type MemoBlock } from "./memo.ts";
import { PageWriter, type PageFile } from "./page-writer.ts";
import type { NewRecord } from "./written-files.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

/** A page of a bulk route that is not current. Its key is empty if its route gives no `cacheKey`. */
export interface BulkPage extends PageFile {
  /** Astro's name of the route: `/tag/[slug]/[...page]`. */
  readonly route: string;
  readonly path: string;
  /** Whether to render it from a request, as Astro does: endpoints, and all pages with middleware. */
  readonly byRequest: boolean;
  /** False if no page of its route has props. */
  readonly hasProps: boolean;
}

interface Batch {
  readonly pages: readonly BulkPage[];
  readonly outDir: string;
  /** See `namedDigests()`. */
  readonly digests: readonly string[] | null;
}

export type Reply<Answer> = { readonly answer: Answer } | { readonly failure: Failure };

// Stdout belongs to the command.
globalThis.console = new Console(process.stderr);

const app = createApp({ streaming: false });
const routes = new Map<string, Promise<BulkRoute>>();
let writer: PageWriter | undefined;
let known: readonly MemoBlock[] = [];
let kept = new Memo(known);
use((id) => kept.find(id));

/**
 * Renders the components of a part that are missing in the memo.
 *
 * @param task.page any page that is rendered without a request, to open a route with
 * @returns the rendered components, the number of all components of the part, and whether all could be memoised
 */
export const fill = replying(
  async ({ page, part }: { readonly page: BulkPage; readonly part: Part }) => {
    const made = new MemoWriter();
    const route = await open(page);
    let shown = 0;
    for (const [id, key, props] of entries(part, (...entry) => kept.has(...entry))) {
      shown++;
      if (props === null) continue;
      // The pages that show a failing component report the error.
      const markup = await route.renderComponent(component, props).catch(() => null);
      if (markup === null) return { block: made.block, shown, isComplete: false };
      made.add(id, key, markup);
    }
    return { block: made.block, shown, isComplete: true };
  },
);

/** Renders a page to compare with Astro's own rendering, and does not write it. */
export const renderSample = replying(async ({ page }: { readonly page: BulkPage }) =>
  Buffer.concat((await render(page)).map((piece) => Buffer.from(piece as string))),
);

export const renderBatch = replying(async ({ pages, outDir, digests }: Batch) => {
  writer ??= new PageWriter(outDir, digests);
  const records: NewRecord[] = [];
  for (const page of pages) records.push(writer.write(page, await render(page)));
  return records;
});

/**
 * Makes a task for the pool, which first takes over the current blocks of memoised components; there are none if one cannot
 * be memoised. A task never throws: its reply has the failure, with all fields of the error.
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

function open({ route: pattern, path, hasProps }: BulkPage): Promise<BulkRoute> {
  return getOrCompute(routes, pattern, () => openRoute(app, pattern, path, hasProps));
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
