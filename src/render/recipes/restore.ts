/**
 * Writes the pages of a lost output folder again from their recipes, on threads of its own, while the pages are listed.
 *
 * What it writes was trusted and is again what it was, so the ledger need not know. What it cannot make is simply not
 * there, and is rendered as any page that is missing.
 */
import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Bundle } from "../bundle/bundle.ts";
import { fillMemory, MEMORY_BYTES, type SharedBytes } from "../fragments/bytes.ts";
import { fragmentPaths, readSeed } from "../fragments/fragment-file.ts";
import type { RecipeRows } from "../ledger/recipe-rows.ts";
import { errorOf } from "../work/failure.ts";
import { ordersOf, type Ended, type Orders } from "./orders.ts";
import { recipePath } from "./recipe-file.ts";

/** Files looked for at either end of the site to find out whether the folder was lost. */
const LOOKED_FOR = 8;

/** Of a thread that holds a page at a time. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

export interface Restoration {
  /** The files that are being written again. */
  readonly restoring: ReadonlySet<string>;
  /** Those of them that were. */
  readonly restored: Promise<ReadonlySet<string>>;
  /** Ends the threads, wherever they are. */
  close(): Promise<void>;
}

export interface RestoreOptions {
  readonly stateDir: string;
  readonly outDir: string;
  readonly bundle: Bundle;
  readonly threads: number;
}

/** Files that are missing and can be made. */
export interface Lost {
  /** Begins to make them. */
  restore(): Restoration;
}

/** Null when no file is missing, as far as can be told from a few, or none can be made. */
export function findLost(rows: RecipeRows, options: RestoreOptions): Lost | null {
  const { stateDir, outDir, bundle } = options;
  const { book } = rows;
  if (book?.name.startsWith(bundle.digest) !== true) return null;
  const some = rows.some(LOOKED_FOR);
  const isThere = (path: string): boolean =>
    lstatSync(join(outDir, path), { throwIfNoEntry: false }) !== undefined;
  const there = some.filter(isThere).length;
  if (there === some.length) return null;
  const recipes = recipePath(stateDir, book);
  if (!existsSync(recipes) || readSeed(stateDir, bundle.digest) !== book.fragments) return null;
  return { restore: () => restore(rows, options, { recipes, blind: there === 0 }) };
}

function restore(
  rows: RecipeRows,
  { stateDir, outDir, bundle, threads }: RestoreOptions,
  found: Pick<Orders, "recipes" | "blind">,
): Restoration {
  // They start while this thread reads what they need.
  const workers = Array.from({ length: threads }, () => startThread(bundle.restoreThread));
  const { bytes } = fragmentPaths(stateDir, bundle.digest);
  const ordered = ordersOf(rows.all());
  const orders: Orders = { ...ordered, ...found, outDir, fragments: readFragments(bytes) };
  const ends = workers.map((worker) => run(worker, orders));
  const paths = orders.paths.split("\n");
  const restored = Promise.all(ends).then(
    () => new Set(paths.filter((_, index) => orders.done[index] === 1)),
  );
  // Whoever never comes to ask has an error of its own to tell.
  restored.catch(() => undefined);
  return {
    restoring: new Set(paths),
    restored,
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function startThread(module: string): Worker {
  return new Worker(module, { env: {}, argv: [], execArgv: [], resourceLimits: HEAP });
}

/** @throws what the file system refused the thread */
async function run(worker: Worker, orders: Orders): Promise<void> {
  const ended = await new Promise<Ended>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("Cannot restore the pages: a thread ended")));
    worker.postMessage(orders);
  });
  if (ended !== null) throw errorOf(ended);
}

function readFragments(file: string): SharedBytes {
  const memory = new SharedArrayBuffer(Math.min(statSync(file).size, MEMORY_BYTES));
  fillMemory(memory, file, memory.byteLength);
  return { file, memory, memoryStart: 0 };
}
