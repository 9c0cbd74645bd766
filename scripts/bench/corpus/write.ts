/** `node write.ts QUOTES SEED [--mutate SHARE]`: the corpus as NDJSON on stdout. */
import { once } from "node:events";
import { corpus } from "./corpus.ts";

const [quotes = "1000", seed = "1", , changed = "0"] = process.argv.slice(2);
const LINES_A_WRITE = 1_000;

let lines: string[] = [];
const flush = async (): Promise<void> => {
  const full = !process.stdout.write(lines.join(""));
  lines = [];
  if (full) await once(process.stdout, "drain");
};
for (const record of corpus(Number(quotes), Number(seed), Number(changed))) {
  lines.push(`${JSON.stringify(record)}\n`);
  if (lines.length === LINES_A_WRITE) await flush();
}
await flush();
