/** The pages of bulk routes on their way through the threads: what is memoised first, then every page that is not current. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Tinypool } from "tinypool";
import { ConfigurationError } from "../contract/errors.ts";
import type { Bundle } from "./bundle.ts";
import { errorOf } from "./failure.ts";
import { loadBlock, saveBlocks, type MemoBlock } from "./memo.ts";
import type { Answer, Batch, Fill, Filled, Reply, Sample, Task } from "./worker.ts";
import type { NewRecord, WrittenFiles } from "./written-files.ts";

/** A page of a bulk route. */
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
}

/** Few enough that the threads end together, many enough that messages cost nothing. */
const SMALL_BATCH = 64;
const LARGE_BATCH = 256;
const LARGE_BUILD = 8_192;
/** For fewer pages, another thread would still be importing the bundle when they are done. */
const PAGES_PER_THREAD = 256;
/** So that a thread has its next batch before it asks. */
const TASKS_AHEAD = 2;
/** A page is small and soon forgotten: with the default, each thread keeps 150 MB of garbage, and is no faster. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

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
  readonly #stale: readonly BulkPage[];
  readonly #memoFile: string;
  /** Pages that Astro renders too, by path. */
  readonly samples = new Map<string, BulkPage>();
  #pool: Tinypool | undefined;
  #blocks: readonly MemoBlock[] = [];
  /** Memoised components that the pages of this build show. */
  #shown = 0;
  /** Whether the memo's file lacks some of them. */
  #hasNews = false;
  #ready: Promise<void> = Promise.resolve();
  #done: Promise<void> = Promise.resolve();
  readonly #verified = new Map<string, PromiseWithResolvers<void>>();
  written = 0;

  /** @param pages those that are not current */
  constructor(pages: readonly BulkPage[], options: BulkOptions) {
    this.#options = options;
    this.#stale = pages;
    this.#memoFile = join(options.stateDir, "memo.bin");
    for (const page of pages) {
      if (this.#verified.has(page.route)) continue;
      const verified = Promise.withResolvers<void>();
      // Awaited only when the threads are ready for the route; `verify` throws a failure, too.
      verified.promise.catch(() => undefined);
      this.#verified.set(page.route, verified);
      this.samples.set(page.path, page);
    }
  }

  get rendered(): number {
    return this.#stale.length;
  }

  /** Starts the threads; `done` says how they ended. */
  start(): void {
    const [first] = this.#stale;
    if (first === undefined) return;
    const { bundle, threads = availableParallelism() } = this.#options;
    const count = Math.min(threads, Math.ceil(this.#stale.length / PAGES_PER_THREAD));
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
    this.#done = this.#ready.then(() => this.#renderAll());
    // Awaited by `done` alone; it throws what an earlier page failed with.
    this.#done.catch(() => undefined);
  }

  /** Compares a sample with the same page as Astro rendered it; only then its route is rendered and written. */
  async verify(page: BulkPage, expected: Uint8Array): Promise<void> {
    const { route, path, byRequest } = page;
    const verified = this.#verified.get(route);
    this.samples.delete(path);
    try {
      await this.#ready;
      const task: Sample = { type: "sample", route, path, byRequest, blocks: this.#blocks };
      const bytes = await this.#run<Uint8Array>(task);
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
    const { digest } = this.#options;
    const page = this.#stale.find(({ byRequest }) => !byRequest);
    if (page === undefined) return;
    const { route, path } = page;
    const kept = loadBlock(this.#memoFile, digest);
    this.#blocks = kept === null ? [] : [kept];
    const parts = await Promise.all(
      Array.from({ length: threads }, (_, index) =>
        this.#run<Filled>({
          type: "fill",
          ...{ route, path, blocks: this.#blocks, part: { index: index + 1, count: threads } },
        } satisfies Fill),
      ),
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

  async #renderAll(): Promise<void> {
    const size = this.#stale.length < LARGE_BUILD ? SMALL_BATCH : LARGE_BATCH;
    const work: Promise<void>[] = [];
    for (const [route, verified] of this.#verified) {
      const pages = this.#stale.filter((page) => page.route === route);
      work.push(
        verified.promise.then(async () => {
          const batches = [];
          for (let at = 0; at < pages.length; at += size) {
            batches.push(this.#renderBatch(pages.slice(at, at + size)));
          }
          await Promise.all(batches);
        }),
      );
    }
    // The threads have batches ahead meanwhile.
    const verified = Array.from(this.#verified.values(), ({ promise }) => promise);
    await Promise.all([Promise.race(verified).then(() => this.#saveMemo()), ...work]);
  }

  async #renderBatch(pages: readonly BulkPage[]): Promise<void> {
    const { outDir, files, onRendered } = this.#options;
    const { route = "", byRequest = false } = pages[0] ?? {};
    const task: Batch = {
      type: "pages",
      route,
      byRequest,
      outDir,
      blocks: this.#blocks,
      paths: pages.map(({ path }) => path),
      files: pages.map(({ file }) => file),
      mtimes: pages.map(({ file, key }) => files.dateOf(file, key)),
    };
    const done = await this.#run<readonly Omit<NewRecord, "file" | "key">[]>(task);
    files.record(
      pages.flatMap(({ file, key }, place) => {
        const written = done[place];
        return written === undefined ? [] : [{ file, key, ...written }];
      }),
    );
    this.written += done.filter(({ written }) => written).length;
    onRendered(pages.length);
  }

  async #run<A extends Answer>(task: Task): Promise<A> {
    const reply = (await this.#pool?.run(task)) as Reply;
    if ("failure" in reply) throw errorOf(reply.failure);
    return reply.answer as A;
  }
}
