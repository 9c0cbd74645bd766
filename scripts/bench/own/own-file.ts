/** `npm run bench -- own [--quotes N]`: the build of an own CSV file, against the same quotes of a service. */
import { createReadStream, createWriteStream, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import type { Quote } from "../floor/model.ts";
import { measure } from "../measure.ts";
import { printRounds, type Row } from "../table.ts";
import type { Workspace } from "../workspace.ts";

/** The site of a file has no votes. */
const WITHOUT_VOTES = { VOTE_BASE_URL: "off" };

const PROGRAM = join(import.meta.dirname, "../../commonplace.mjs");

/** Largest ratio of the processor times. */
const AT_MOST = 1.1;

export function benchOwnFile(quotes: number): Promise<void> {
  return printRounds(`An own CSV file, ${quotes} quotes`, quotes, round);
}

async function round({ folder, corpusFile }: Workspace): Promise<Row[]> {
  const ndjson = await corpusFile(0);
  const csv = join(folder, "quotes.csv");
  if (!existsSync(csv)) await pipeline(csvOf(ndjson), createWriteStream(csv));
  const build = (name: string, script: string, first: string[], env = {}) => {
    const place = join(folder, name);
    rmSync(place, { recursive: true, force: true });
    const folders = ["--state", join(place, "state"), "--out", join(place, "dist")];
    return measure(script, [...first, ...folders, "--json", "--quiet"], {
      env: { ...WITHOUT_VOTES, ...env },
    });
  };
  const run = await build("csv", PROGRAM, ["build"], { QUOTES_DATA: csv });
  const floor = await build("service", join(import.meta.dirname, "by-service.ts"), [ndjson]);
  const ratio = { ratioOf: "cpuSeconds", atMost: AT_MOST, note: "of the CPU" } as const;
  return [
    { what: "an own CSV file", run, floor, ...ratio },
    { what: "the same by a service", run: floor },
  ];
}

/** The same quotes as CSV. */
async function* csvOf(ndjson: string): AsyncGenerator<string> {
  yield "pk,quote,author,likes,tags,language\n";
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  for await (const line of createInterface({ input: createReadStream(ndjson) })) {
    const { pk, quote, author, likes, tags, language } = JSON.parse(line) as Quote;
    const cells = [String(pk), cell(quote), cell(author ?? ""), String(likes)];
    yield `${[...cells, cell(tags.join(";")), language].join(",")}\n`;
  }
}
