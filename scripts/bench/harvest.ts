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
  const flags = ["--disable-warning=ExperimentalWarning", path, ...args];
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
  const bareArgs = [address, String(quotes), page, connections];
  type Bare = { ms: number; bytes: number };
  type Harvest = { ms: number; walkMs: number; peakMb: number; requests: number; label: string };
  const before = await measured<Bare>("harvest/bare.ts", bareArgs);
  const walkArgs = [address, join(folder, "state"), page, connections];
  const ours = await measured<Harvest>("harvest/harvester.ts", walkArgs);
  const after = await measured<Bare>("harvest/bare.ts", bareArgs);
  const bareMs = (before.ms + after.ms) / 2;
  console.log(`${quotes} quotes, pages of ${page}, ${connections} connections`);
  console.log(
    `bare client: ${(before.ms / 1e3).toFixed(1)} s and ${(after.ms / 1e3).toFixed(1)} s`,
  );
  console.log(
    `walk: ${(ours.walkMs / 1e3).toFixed(1)} s, ${(bareMs / ours.walkMs).toFixed(2)} of the bare client's rate`,
  );
  console.log(
    `with publishing: ${(ours.ms / 1e3).toFixed(1)} s, ${(bareMs / ours.ms).toFixed(2)}; peak ${ours.peakMb.toFixed(0)} MB, ${ours.requests} requests, ${ours.label}`,
  );
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
