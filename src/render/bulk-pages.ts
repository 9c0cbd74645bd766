/** Renders the pages of bulk routes in worker threads: first the memoised components, then every page that is not current. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Tinypool } from "tinypool";
import { errorOf, Refusal } from "../contract/errors.ts";
import { refusePage } from "./astro/index.ts";
import { loadBlock, saveBlocks, type MemoBlock } from "./memo.ts";
import type * as worker from "./worker.ts";
import type { BulkPage, Reply } from "./worker.ts";
import type { WrittenFiles } from "./written-files.ts";

type Worker = typeof worker;

/** Pages of a batch: few enough that the threads end together, many enough that messages cost nothing. */
const BATCH = { small: 64, large: 256, from: 8_192 };
/** Fewer pages would be done before another thread has imported the bundle. */
const PAGES_PER_THREAD = 256;
/** Gives a thread its next batch before it ends the current one. */
const TASKS_AHEAD = 2;
/** With a young generation of 8 MB, 75,000 pages take 10 % longer; the default takes 150 MB more, and is no faster. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

interface BulkOptions {
  /** File of the threads' module. */
  readonly worker: string;
  /** Digest of the bundle. */
  readonly digest: string;
  readonly stateDir: string;
  readonly outDir: string;
  /** See `namedDigests()`. */
  readonly digests: readonly string[] | null;
  readonly files: WrittenFiles;
  readonly onRendered: (pages: number) => void;
}

/** The first page of a route, which Astro renders too. */
interface Sample {
  readonly page: BulkPage;
  /** Resolves when both renderings are equal. */
  readonly verified: PromiseWithResolvers<void>;
}

export class BulkPages {
  readonly #options: BulkOptions;
  /** The samples that Astro has not rendered yet, by file. */
  readonly samples = new Map<string, Sample>();
  written = 0;
  readonly #pool: Tinypool | undefined;
  readonly #memoFile: string;
  #blocks: readonly MemoBlock[] = [];
  /** See `#fill()`. */
  readonly #filled: Promise<number | null> = Promise.resolve(null);
  readonly #done: Promise<unknown> = Promise.resolve();

  /** Starts the threads. @param pages those that are not current */
  constructor(pages: readonly BulkPage[], options: BulkOptions) {
    this.#options = options;
    this.#memoFile = join(options.stateDir, "memo.bin");
    if (pages.length === 0) return;
    const size = pages.length < BATCH.from ? BATCH.small : BATCH.large;
    const rendered: Promise<void>[] = [];
    for (const ofRoute of Map.groupBy(pages, ({ route }) => route).values()) {
      const [page] = ofRoute;
      if (page === undefined) continue;
      const verified = Promise.withResolvers<void>();
      this.samples.set(page.file, { page, verified });
      rendered.push(verified.promise.then(() => this.#renderRoute(ofRoute, size)));
    }
    const routes = Array.from(this.samples.values(), ({ verified }) => verified.promise);
    const count = Math.min(availableParallelism(), Math.ceil(pages.length / PAGES_PER_THREAD));
    this.#pool = new Tinypool({
      filename: options.worker,
      minThreads: count,
      maxThreads: count,
      concurrentTasksPerWorker: TASKS_AHEAD,
      resourceLimits: HEAP,
      // Without the command's own arguments: each thread would load the modules of `--import`.
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        ...(process.sourceMapsEnabled ? ["--enable-source-maps"] : []),
      ],
      env: process.env as Record<string, string>,
    });
    this.#filled = this.#fill(count);
    // The threads are busy while the memo is saved.
    const saved = Promise.race(routes).then(async () => this.#saveMemo(await this.#filled));
    this.#done = Promise.all([this.#filled, saved, ...rendered]);
    // `done()` reports the failure.
    this.#done.catch(() => undefined);
  }

  /** Compares a sample with Astro's rendering of it. The threads render a route only after that. */
  async verify({ page, verified }: Sample, expected: Uint8Array): Promise<void> {
    this.samples.delete(page.file);
    try {
      await this.#filled;
      const bytes = await this.#run("renderSample", { page });
      if (Buffer.compare(bytes, expected) !== 0) throw new Error("its bytes differ from Astro's");
      verified.resolve();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const failure = error instanceof Refusal ? error : refusePage(page, why, error);
      verified.reject(failure);
      throw failure;
    }
  }

  /** Releases the routes whose samples Astro will not render, because the build fails. */
  giveUp(failure: Error): void {
    for (const { verified } of this.samples.values()) verified.reject(failure);
  }

  /** Resolves when every page is written and recorded. @throws the error of the first thread that failed */
  async done(): Promise<void> {
    try {
      await this.#done;
    } finally {
      await this.#pool?.destroy();
    }
  }

  /**
   * Lets the threads render the components that are missing in the memo.
   *
   * @returns number of memoised components that pages show; null if the memo need not be saved
   */
  async #fill(threads: number): Promise<number | null> {
    const sample = this.samples.values().find((each) => !each.page.byRequest);
    if (sample === undefined) return null;
    const kept = loadBlock(this.#memoFile, this.#options.digest);
    this.#blocks = kept === null ? [] : [kept];
    const parts = await Promise.all(
      Array.from({ length: threads }, (_, index) =>
        this.#run("fill", { page: sample.page, part: { index: index + 1, count: threads } }),
      ),
    );
    const made = parts.map(({ block }) => block).filter(({ entries }) => entries > 0);
    const isComplete = parts.every((part) => part.isComplete);
    this.#blocks = isComplete ? [...this.#blocks, ...made] : [];
    return isComplete && made.length > 0 ? parts.reduce((sum, { shown }) => sum + shown, 0) : null;
  }

  /** Saves the memo for the next build, or deletes it if more than half of it is obsolete. */
  #saveMemo(shown: number | null): void {
    if (shown === null) return;
    const all = this.#blocks.reduce((sum, { entries }) => sum + entries, 0);
    if (all > 2 * shown) rmSync(this.#memoFile, { force: true });
    else saveBlocks(this.#memoFile, this.#options.digest, this.#blocks);
  }

  async #renderRoute(pages: readonly BulkPage[], size: number): Promise<void> {
    const { outDir, digests, files, onRendered } = this.#options;
    const batches = Array.from({ length: Math.ceil(pages.length / size) }, async (_, index) => {
      const batch = pages.slice(index * size, (index + 1) * size);
      const records = await this.#run("renderBatch", { pages: batch, outDir, digests });
      files.record(records);
      this.written += records.filter(({ written }) => written).length;
      onRendered(batch.length);
    });
    await Promise.all(batches);
  }

  /** Calls a function of the worker module in a thread. */
  async #run<Name extends keyof Worker>(
    name: Name,
    task: Omit<Parameters<Worker[Name]>[0], "blocks">,
  ): Promise<AnswerOf<Worker[Name]>> {
    const message = { ...task, blocks: this.#blocks };
    const reply = (await this.#pool?.run(message, { name })) as Reply<AnswerOf<Worker[Name]>>;
    if ("failure" in reply) throw errorOf(reply.failure);
    return reply.answer;
  }
}

type AnswerOf<Work> = Work extends (task: never) => Promise<Reply<infer Answer>> ? Answer : never;
