/** The pages of bulk routes on their way through the threads: what is memoised first, then every page that is not current. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Tinypool } from "tinypool";
import { ConfigurationError, errorOf } from "../contract/errors.ts";
import type { Bundle } from "./bundle.ts";
import { loadBlock, saveBlocks, type MemoBlock } from "./memo.ts";
import type { Batch, BulkPage, Fill, Filled, Reply, Sample } from "./worker.ts";
import type { NewRecord, WrittenFiles } from "./written-files.ts";

/** Few enough that the threads end together, many enough that messages cost nothing. */
const SMALL_BATCH = 64;
const LARGE_BATCH = 256;
const LARGE_BUILD = 8_192;
/** For fewer pages, another thread would still be importing the bundle when they are done. */
const PAGES_PER_THREAD = 256;
/** So that a thread has its next batch before it asks. */
const TASKS_AHEAD = 2;
/** With 8 MB, 75,000 pages take a tenth longer; with the default, each thread keeps 150 MB of garbage, and is no faster. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

export interface BulkOptions {
  readonly bundle: Bundle;
  /** Digest of the bundle. */
  readonly digest: string;
  readonly stateDir: string;
  readonly outDir: string;
  readonly files: WrittenFiles;
  readonly threads?: number | undefined;
  readonly onRendered: (pages: number) => void;
}

export class BulkPages {
  readonly #options: BulkOptions;
  /** By route. */
  readonly #stale: ReadonlyMap<string, readonly BulkPage[]>;
  /** Pages that Astro renders too, the first of each route, by path. */
  readonly samples: Map<string, BulkPage>;
  /** Of each route, once its sample is as Astro's. */
  readonly #verified: ReadonlyMap<string, PromiseWithResolvers<void>>;
  readonly rendered: number;
  written = 0;
  #pool: Tinypool | undefined;
  readonly #memoFile: string;
  #blocks: readonly MemoBlock[] = [];
  /** Memoised components that the pages of this build show. */
  #shown = 0;
  /** Whether the memo's file lacks some of them. */
  #hasNews = false;
  #ready: Promise<void> = Promise.resolve();
  #done: Promise<unknown> = Promise.resolve();

  /** @param pages those that are not current */
  constructor(pages: readonly BulkPage[], options: BulkOptions) {
    this.#options = options;
    this.rendered = pages.length;
    this.#memoFile = join(options.stateDir, "memo.bin");
    this.#stale = Map.groupBy(pages, ({ route }) => route);
    const first = [...this.#stale.values()].flatMap(([page]) => page ?? []);
    this.samples = new Map(first.map((page) => [page.path, page]));
    this.#verified = new Map(first.map(({ route }) => [route, Promise.withResolvers()]));
  }

  /** Starts the threads; `done` says how they ended. */
  start(): void {
    if (this.rendered === 0) return;
    const { bundle, threads = availableParallelism() } = this.#options;
    const count = Math.min(threads, Math.ceil(this.rendered / PAGES_PER_THREAD));
    this.#pool = new Tinypool({
      filename: bundle.worker,
      minThreads: count,
      maxThreads: count,
      concurrentTasksPerWorker: TASKS_AHEAD,
      resourceLimits: HEAP,
      // Not what the command was started with: what is imported before it would cost each thread a compiler.
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        ...(process.sourceMapsEnabled ? ["--enable-source-maps"] : []),
      ],
      env: process.env as Record<string, string>,
    });
    this.#ready = this.#fill(count);
    const routes = [...this.#verified.values()];
    const pages = Array.from(this.#verified, ([route, { promise }]) =>
      promise.then(() => this.#renderRoute(this.#stale.get(route) ?? [])),
    );
    // The threads have batches ahead while the memo is saved.
    const saved = Promise.race(routes.map(({ promise }) => promise)).then(() => this.#saveMemo());
    this.#done = Promise.all([this.#ready, saved, ...pages]);
    // Awaited by `done` alone.
    this.#done.catch(() => undefined);
  }

  /** Compares a sample with the same page as Astro rendered it; only then its route is rendered and written. */
  async verify(page: BulkPage, expected: Uint8Array): Promise<void> {
    const { route, path } = page;
    const verified = this.#verified.get(route);
    this.samples.delete(path);
    try {
      await this.#ready;
      const bytes = await this.#run<Uint8Array, Sample>("renderSample", { page });
      if (Buffer.compare(bytes, expected) !== 0) throw new Error(`its bytes differ from Astro's`);
      verified?.resolve();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const failure = new ConfigurationError(
        `Cannot render ${path} in a thread: ${why}; take ${JSON.stringify(route)} out of "bulk" in astro.config.mjs`,
        { cause: error },
      );
      verified?.reject(failure);
      throw failure;
    }
  }

  /** Resolves when every page is written and recorded. @throws what the first thread that failed threw */
  async done(): Promise<void> {
    try {
      await this.#done;
    } finally {
      await this.#pool?.destroy();
    }
  }

  /** Has the threads render what the memo lacks. */
  async #fill(threads: number): Promise<void> {
    const page = [...this.samples.values()].find(({ byRequest }) => !byRequest);
    if (page === undefined) return;
    const kept = loadBlock(this.#memoFile, this.#options.digest);
    this.#blocks = kept === null ? [] : [kept];
    const parts = await Promise.all(
      Array.from({ length: threads }, (_, index) => {
        const part = { index: index + 1, count: threads };
        return this.#run<Filled, Fill>("fill", { page, part });
      }),
    );
    if (parts.some(({ complete }) => !complete)) {
      this.#blocks = [];
      return;
    }
    const made = parts.map(({ block }) => block).filter(({ entries }) => entries > 0);
    this.#blocks = [...this.#blocks, ...made];
    this.#shown = parts.reduce((sum, { shown }) => sum + shown, 0);
    this.#hasNews = made.length > 0;
  }

  /** For the next build, which begins anew when more is kept of the past than is shown. */
  #saveMemo(): void {
    if (!this.#hasNews) return;
    const all = this.#blocks.reduce((sum, { entries }) => sum + entries, 0);
    if (all > 2 * this.#shown) rmSync(this.#memoFile, { force: true });
    else saveBlocks(this.#memoFile, this.#options.digest, this.#blocks);
  }

  async #renderRoute(pages: readonly BulkPage[]): Promise<void> {
    const { outDir, files, onRendered } = this.#options;
    const size = this.rendered < LARGE_BUILD ? SMALL_BATCH : LARGE_BATCH;
    const batches = Array.from({ length: Math.ceil(pages.length / size) }, (_, index) =>
      pages.slice(index * size, (index + 1) * size),
    );
    await Promise.all(
      batches.map(async (batch) => {
        const task = { pages: batch, outDir };
        const records = await this.#run<readonly NewRecord[], Batch>("renderBatch", task);
        files.record(records);
        this.written += records.filter(({ written }) => written).length;
        onRendered(batch.length);
      }),
    );
  }

  /** @param name of the function that the worker exports */
  async #run<Answer, T extends Batch | Sample | Fill>(
    name: string,
    task: Omit<T, "blocks">,
  ): Promise<Answer> {
    const message = { ...task, blocks: this.#blocks };
    const reply = (await this.#pool?.run(message, { name })) as Reply<Answer>;
    if ("failure" in reply) throw errorOf(reply.failure);
    return reply.answer;
  }
}
