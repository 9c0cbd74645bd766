/**
 * `npm run bench -- whole [--quotes N] [--against CHECKOUT]`: the whole of `npm run build`, over HTTP, against another
 * checkout of this project that has its packages installed.
 *
 * Four builds: the embedded collection, then N quotes from nothing, with 1 % changed, and with nothing changed. `REAL_QUOTES`
 * names a folder whose `quotes.ndjson.gz` replaces the N generated quotes.
 */
import { createReadStream, createWriteStream, existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { measure, type Measured } from "./measure.ts";
import { withService } from "./service.ts";
import { printRounds, type Row } from "./table.ts";
import { CHANGED, type Version, type Workspace } from "./workspace.ts";

const HERE = resolve(import.meta.dirname, "../..");
const REAL = process.env["REAL_QUOTES"];

/** @param against root of the other checkout; the ratios are to its builds */
export function benchWhole(quotes: number, against: string | undefined): Promise<void> {
  const checkouts = against === undefined ? [HERE] : [HERE, resolve(against)];
  return printRounds(`The whole build, ${REAL ?? `${quotes} quotes`}`, quotes, (workspace) =>
    round(workspace, checkouts),
  );
}

async function round(workspace: Workspace, checkouts: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  const folderOf = (name: string, at: number): string => join(workspace.folder, `${name}-${at}`);
  const compare = async (
    what: string,
    atMost: number,
    name: string,
    baseUrl?: string,
  ): Promise<void> => {
    const runs: Measured<unknown>[] = [];
    for (const [at, checkout] of checkouts.entries()) {
      runs.push(await build(checkout, folderOf(name, at), baseUrl));
    }
    const [run, floor] = runs;
    if (run === undefined) return;
    rows.push({ what, run, ...(floor === undefined ? {} : { floor, atMost }) });
    if (floor !== undefined) rows.push({ what: "  the other checkout", run: floor });
  };
  for (const at of checkouts.keys()) {
    for (const name of ["embedded", "site"]) {
      rmSync(folderOf(name, at), { recursive: true, force: true });
    }
  }
  await compare("the embedded collection, first build", 0.41, "embedded");
  const port = await withService(await quotesOf(workspace, 0), "0", async (url) => {
    await compare("from nothing", 0.5, "site", url);
    return new URL(url).port;
  });
  // A service at another port is another service: the harvest would begin from nothing.
  await withService(await quotesOf(workspace, 1), port, async (url) => {
    await compare("1 % changed", 0.35, "site", url);
    await compare("nothing changed", 0.25, "site", url);
  });
  return rows;
}

function build(checkout: string, folder: string, baseUrl?: string): Promise<Measured<unknown>> {
  const folders = ["--state", join(folder, "state"), "--out", join(folder, "dist")];
  const program = join(checkout, "scripts/commonplace.mjs");
  return measure(program, ["build", ...folders, "--json", "--quiet"], {
    cwd: checkout,
    env: baseUrl === undefined ? {} : { QUOTES_BASE_URL: baseUrl },
  });
}

async function quotesOf({ folder, corpusFile }: Workspace, version: Version): Promise<string> {
  if (REAL === undefined) return corpusFile(version);
  const file = join(folder, `real-${version}.ndjson`);
  if (!existsSync(file)) await pipeline(realLines(REAL, version), createWriteStream(file));
  return file;
}

/** In version 1, every hundredth quote has other words. */
async function* realLines(folder: string, version: Version): AsyncGenerator<string> {
  const unzipped = createReadStream(join(folder, "quotes.ndjson.gz")).pipe(createGunzip());
  let count = 0;
  for await (const line of createInterface({ input: unzipped })) {
    count += version * CHANGED;
    if (count < 1) {
      yield `${line}\n`;
      continue;
    }
    count -= 1;
    const record = JSON.parse(line) as { quote: string };
    yield `${JSON.stringify({ ...record, quote: `${record.quote} (so)` })}\n`;
  }
}
