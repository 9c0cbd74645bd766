/**
 * `npm run bench -- whole [--quotes N] [--against CHECKOUT]`: the whole of `npm run build`, over HTTP, against another
 * checkout of this project that has its packages installed.
 *
 * Four builds: the embedded collection, then N quotes from nothing, with 1 % changed, and with nothing changed. `REAL_QUOTES`
 * names a folder whose `quotes.ndjson.gz` is built in the place of N generated ones.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { corpus } from "./corpus/corpus.ts";
import { measure, type Measured } from "./measure.ts";
import { ROUNDS } from "./rounds.ts";
import { printTable, type Row } from "./table.ts";

const HERE = resolve(import.meta.dirname, "../..");
const MEMORY = "/dev/shm";
const SEED = 1;
/** Share of the quotes that the second version changes. */
const CHANGED = 0.01;

/** @param against root of the other checkout; the ratios are to its builds */
export async function benchWhole(quotes: number, against: string | undefined): Promise<void> {
  const parent = process.env["BENCH_DIR"] ?? (existsSync(MEMORY) ? MEMORY : tmpdir());
  const folder = mkdtempSync(join(parent, "commonplace-bench-"));
  try {
    const versions = [join(folder, "version-0.ndjson"), join(folder, "version-1.ndjson")] as const;
    await writeVersion(versions[0], quotes, 0);
    await writeVersion(versions[1], quotes, CHANGED);
    const checkouts = against === undefined ? [HERE] : [HERE, resolve(against)];
    const rounds: Row[][] = [];
    while (rounds.length < ROUNDS) rounds.push(await round(folder, versions, checkouts));
    printTable(`The whole build, ${process.env["REAL_QUOTES"] ?? `${quotes} quotes`}`, rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function round(
  folder: string,
  versions: readonly [string, string],
  checkouts: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = [];
  const compare = async (
    what: string,
    atMost: number,
    name: string,
    baseUrl?: string,
  ): Promise<void> => {
    const runs: Measured<unknown>[] = [];
    for (const [at, checkout] of checkouts.entries()) {
      runs.push(await build(checkout, join(folder, `${name}-${at}`), baseUrl));
    }
    const [run, floor] = runs;
    if (run === undefined) return;
    rows.push({ what, run, ...(floor === undefined ? {} : { floor, atMost }) });
    if (floor !== undefined) rows.push({ what: "  the other checkout", run: floor });
  };
  const fresh = (name: string): void =>
    checkouts.forEach((_, at) =>
      rmSync(join(folder, `${name}-${at}`), { recursive: true, force: true }),
    );
  fresh("embedded");
  fresh("site");
  await compare("the embedded collection, first build", 0.41, "embedded");
  fresh("embedded");
  let port = "0";
  await serving(versions[0], port, async (url) => {
    // Another port would be another service, of which nothing that is known counts.
    ({ port } = new URL(url));
    await compare("from nothing", 0.5, "site", url);
  });
  await serving(versions[1], port, async (url) => {
    await compare("1 % changed", 0.35, "site", url);
    await compare("nothing changed", 0.25, "site", url);
  });
  return rows;
}

function build(checkout: string, folder: string, baseUrl?: string): Promise<Measured<unknown>> {
  const folders = ["--state", join(folder, "state"), "--out", join(folder, "dist")];
  // Checkouts from before version 1 have a script for each command.
  const program = join(checkout, "scripts/commonplace.mjs");
  const [script, flags, words] = existsSync(program)
    ? [program, [], ["build"]]
    : [
        join(checkout, "scripts/build.ts"),
        ["--import", join(checkout, "scripts/compile-cache.mjs")],
        [],
      ];
  return measure(script, [...words, ...folders, "--json", "--quiet"], {
    cwd: checkout,
    flags,
    env: baseUrl === undefined ? {} : { QUOTES_BASE_URL: baseUrl },
  });
}

/** Serves a file of quotes with this checkout's service while `work` runs; at a free port where it is "0". */
async function serving(
  data: string,
  port: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const service = spawn(
    process.execPath,
    [join(HERE, "scripts/commonplace.mjs"), "serve"].concat(
      ["--data", data],
      ["--port", port, "--quiet"],
    ),
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      const url = / at (http\S+)$/.exec(line)?.[1];
      if (url === undefined) continue;
      await work(url);
      return;
    }
    throw new Error(`Cannot measure: the service ended before it served ${data}`);
  } finally {
    if (service.exitCode === null) {
      service.kill();
      await once(service, "exit");
    }
  }
}

async function writeVersion(file: string, quotes: number, changed: number): Promise<void> {
  const real = process.env["REAL_QUOTES"];
  const lines = real === undefined ? generated(quotes, changed) : realLines(real, changed);
  await pipeline(lines, createWriteStream(file));
}

function* generated(quotes: number, changed: number): Generator<string> {
  for (const record of corpus(quotes, SEED, changed)) yield `${JSON.stringify(record)}\n`;
}

/** Every hundredth quote gets other words where 1 % is to change. */
async function* realLines(folder: string, changed: number): AsyncGenerator<string> {
  const unzipped = createReadStream(join(folder, "quotes.ndjson.gz")).pipe(createGunzip());
  let count = 0;
  for await (const line of createInterface({ input: unzipped })) {
    count += changed;
    if (count < 1) {
      yield `${line}\n`;
      continue;
    }
    count -= 1;
    const record = JSON.parse(line) as { quote: string };
    yield `${JSON.stringify({ ...record, quote: `${record.quote} (so)` })}\n`;
  }
}
