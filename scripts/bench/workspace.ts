/** A folder in memory for a measurement: two versions of a corpus and their snapshots. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creating files on a disk costs what the disk costs; in memory it costs what the programs do. */
const MEMORY = "/dev/shm";
const SEED = "1";
/** Share of the quotes that the second version changes. */
const CHANGED = "0.01";

const HERE = import.meta.dirname;
export const SCRIPTS = {
  write: join(HERE, "corpus/write.ts"),
  publish: join(HERE, "corpus/publish.ts"),
  floor: join(HERE, "floor/render.ts"),
  nightlyFloor: join(HERE, "floor/incremental.ts"),
  site: join(HERE, "site/render.ts"),
};

export interface Workspace {
  readonly folder: string;
  readonly state: string;
  /** The corpus of a version, 0 or 1. */
  corpus(version: number): string;
  publish(version: number): void;
  remove(): void;
}

/** A folder for measurements: `BENCH_DIR`, or memory where the system has a place for it. */
export function makeWorkspace(quotes: number): Workspace {
  const parent = process.env["BENCH_DIR"] ?? (existsSync(MEMORY) ? MEMORY : tmpdir());
  const folder = mkdtempSync(join(parent, "commonplace-bench-"));
  const corpus = (version: number): string => join(folder, `version-${version}.ndjson`);
  const state = join(folder, "state");
  for (const version of [0, 1]) {
    const changed = version === 0 ? [] : ["--mutate", CHANGED];
    run(SCRIPTS.write, [String(quotes), SEED, ...changed], corpus(version));
  }
  return {
    folder,
    state,
    corpus,
    publish: (version) =>
      run(SCRIPTS.publish, [corpus(version), state, String(version * 86_400_000)]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(script: string, args: readonly string[], into?: string): void {
  const stdout = into === undefined ? ("inherit" as const) : openSync(into, "w");
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: ["ignore", stdout, "inherit"],
  });
}
