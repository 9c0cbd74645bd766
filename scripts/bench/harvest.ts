/**
 * How fast and in how much memory a large collection is harvested, against a client that only reads the pages.
 *
 * The two take turns; the median of the rounds is printed.
 *
 * `BENCH_QUOTES` (default 1,000,000), `BENCH_PAGE` (100), `BENCH_CONNECTIONS` (2), `BENCH_ROUNDS` (3), `BENCH_DIR` (the
 * temporary folder).
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCorpus } from "./harvest/corpus.ts";
import { describe, measureRound, program, type Round } from "./harvest/round.ts";
import { ROUNDS } from "./rounds.ts";
import { median } from "./table.ts";

const quotes = Number(process.env["BENCH_QUOTES"] ?? 1_000_000);
const page = process.env["BENCH_PAGE"] ?? "100";
const connections = process.env["BENCH_CONNECTIONS"] ?? "2";
const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "commonplace-bench-"));

const data = join(folder, "quotes.ndjson");
await writeCorpus(data, quotes);
const serve = ["serve", "--port", "0", "--data", data, "--max-limit", page];
const service = program("../../commonplace.mjs", serve);
try {
  let said = "";
  let address: string | undefined;
  service.stdout.on("data", (chunk: Buffer) => {
    said += String(chunk);
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  });
  while (address === undefined) await once(service.stdout, "data");
  console.log(`${quotes} quotes, pages of ${page}, ${connections} connections`);
  const all: Round[] = [];
  for (let number = 1; number <= ROUNDS; number++) {
    const state = join(folder, "state");
    const round = await measureRound({ address, quotes, page, connections }, state);
    rmSync(state, { recursive: true });
    console.log(`round ${number}: ${describe(round)}`);
    all.push(round);
  }
  const rate = median(all.map((round) => round.rate));
  const peak = Math.max(...all.map(({ ours }) => ours.peakMb));
  console.log(
    `median: ${rate.toFixed(2)} of the bare client's rate; highest peak ${peak.toFixed(0)} MB`,
  );
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
