/** A temporary folder for a measurement: two versions of a corpus, and a snapshot of one of them. */
import { createWriteStream, existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { corpus } from "./corpus/corpus.ts";
import { publish } from "./corpus/publish.ts";

/** A memory file system: on a disk, creating files would cost more than the programs that are measured. */
const MEMORY = "/dev/shm";
const SEED = 1;
/** Share of the quotes that version 1 changes. */
export const CHANGED = 0.01;
const DAY_MS = 86_400_000;

/** A folder in `BENCH_DIR`, or in memory where the system has a memory file system. */
export function makeFolder() {
  const parent = process.env["BENCH_DIR"] ?? (existsSync(MEMORY) ? MEMORY : tmpdir());
  return mkdtempDisposableSync(join(parent, "commonplace-bench-"));
}

export type Version = 0 | 1;
export type Workspace = ReturnType<typeof makeWorkspace>;

export function makeWorkspace(quotes: number) {
  const temporary = makeFolder();
  const folder = temporary.path;
  const state = join(folder, "state");
  /** Path of a corpus as NDJSON, written on first use. */
  const corpusFile = async (version: Version): Promise<string> => {
    const file = join(folder, `version-${version}.ndjson`);
    if (!existsSync(file)) {
      await pipeline(linesOf(corpus(quotes, SEED, version * CHANGED)), createWriteStream(file));
    }
    return file;
  };
  return {
    ...{ folder, state, quotes, corpusFile },
    publish: async (version: Version): Promise<void> =>
      publish(await corpusFile(version), state, version * DAY_MS),
    [Symbol.dispose]: () => temporary.remove(),
  };
}

function* linesOf(records: Iterable<unknown>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}
