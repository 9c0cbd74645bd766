/**
 * `npm run bench -- whole [--quotes N] [--against CHECKOUT]`: the whole of `npm run build`, over HTTP, against another
 * checkout of this project that has its packages installed.
 *
 * Five builds: the embedded collection, then N quotes from nothing, with 1 % changed, with nothing changed, and with votes for
 * 5 %. The last column counts what each stage did. `REAL_QUOTES` names a folder whose `quotes.ndjson.gz` replaces the N
 * generated quotes.
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
/** Every so many quotes, one has a vote more after a night of votes. */
const VOTED_EVERY = 20;

/** What the bench reads of the result of a build. */
interface Result {
  readonly render?: { readonly pages: number; readonly rendered: number };
  readonly search?: { readonly languages: number; readonly indexed: number };
  readonly audit?: { readonly pages: number; readonly unchanged: number };
}

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
    const runs: Measured<Result>[] = [];
    for (const [at, checkout] of checkouts.entries()) {
      runs.push(await build(checkout, folderOf(name, at), baseUrl));
    }
    const [run, floor] = runs;
    if (run === undefined) return;
    const note = countsOf(run.result);
    rows.push({ what, run, note, ...(floor === undefined ? {} : { floor, atMost }) });
    if (floor !== undefined) {
      rows.push({ what: "  the other checkout", run: floor, note: countsOf(floor.result) });
    }
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
  await withService(await votedOf(workspace), port, async (url) => {
    await compare("votes for 5 %", 0.3, "site", url);
  });
  return rows;
}

/** How much each stage had to do, for each that did something. */
function countsOf({ render, search, audit }: Result): string {
  return [
    render && `rendered ${render.rendered} of ${render.pages} pages`,
    search && `indexed ${search.indexed} of ${search.languages} languages`,
    audit && `audited ${audit.pages - audit.unchanged} of ${audit.pages} pages`,
  ]
    .filter((count) => count !== undefined)
    .join(", ");
}

function build(checkout: string, folder: string, baseUrl?: string): Promise<Measured<Result>> {
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

/** Version 1 after a night of votes. */
async function votedOf(workspace: Workspace): Promise<string> {
  const file = join(workspace.folder, "voted.ndjson");
  if (!existsSync(file)) {
    const lines = votedLines(await quotesOf(workspace, 1));
    await pipeline(lines, createWriteStream(file));
  }
  return file;
}

async function* votedLines(file: string): AsyncGenerator<string> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const record = JSON.parse(line) as { likes?: number };
    const vote = count++ % VOTED_EVERY === 0 ? 1 : 0;
    yield `${JSON.stringify({ ...record, likes: (record.likes ?? 0) + vote })}\n`;
  }
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
