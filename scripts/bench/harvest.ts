/**
 * How fast and in how much memory a large collection is harvested, beside a client that only reads the pages.
 *
 * `BENCH_QUOTES` (default 1,000,000), `BENCH_PAGE` (100), `BENCH_CONNECTIONS` (2), `BENCH_DIR` (the temporary folder).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { writeCorpus } from "./harvest/corpus.ts";

const quotes = Number(process.env["BENCH_QUOTES"] ?? 1_000_000);
const page = process.env["BENCH_PAGE"] ?? "100";
const connections = process.env["BENCH_CONNECTIONS"] ?? "2";
const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "commonplace-bench-"));

function program(script: string, args: readonly string[]) {
  const path = join(import.meta.dirname, script);
  // As the npm scripts of the product have them: without the second, what was thrown away is kept up to 100 MB longer.
  const flags = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", path, ...args];
  return spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
}

async function measured<T>(script: string, args: readonly string[]): Promise<T> {
  return JSON.parse(await text(program(script, args).stdout)) as T;
}

const data = join(folder, "quotes.ndjson");
await writeCorpus(data, quotes);
const service = program("../serve.ts", ["--port", "0", "--data", data, "--max-limit", page]);
try {
  let said = "";
  let address: string | undefined;
  service.stdout.on("data", (chunk: Buffer) => {
    said += String(chunk);
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  });
  while (address === undefined) await once(service.stdout, "data");
  const bareArgs = [address, String(quotes), page];
  type Bare = { ms: number; cpuMs: number; bytes: number };
  type Harvest = {
    ms: number;
    walkMs: number;
    walkCpuMs: number;
    peakMb: number;
    requests: number;
    label: string;
  };
  const before = await measured<Bare>("harvest/bare.ts", [...bareArgs, "1"]);
  const walkArgs = [address, join(folder, "state"), page, connections];
  const ours = await measured<Harvest>("harvest/harvester.ts", walkArgs);
  const after = await measured<Bare>("harvest/bare.ts", [...bareArgs, "1"]);
  const crowd = await measured<Bare>("harvest/bare.ts", [...bareArgs, connections]);
  const bareMs = (before.ms + after.ms) / 2;
  const seconds = (ms: number): string => `${(ms / 1e3).toFixed(1)} s`;
  const rate = (ms: number): string => (bareMs / ms).toFixed(2);
  console.log(`${quotes} quotes, pages of ${page}`);
  console.log(`bare client, one connection: ${seconds(before.ms)} and ${seconds(after.ms)}`);
  console.log(
    `bare client, ${connections} connections: ${seconds(crowd.ms)} (${seconds(crowd.cpuMs)} of CPU)`,
  );
  console.log(
    `walk, ${connections} connections: ${seconds(ours.walkMs)} (${seconds(ours.walkCpuMs)} of CPU), ${rate(ours.walkMs)} of the bare client's rate`,
  );
  console.log(`with publishing: ${seconds(ours.ms)}, ${rate(ours.ms)}`);
  console.log(`peak ${ours.peakMb.toFixed(0)} MB, ${ours.requests} requests, ${ours.label}`);
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
