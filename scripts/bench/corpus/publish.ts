/** Publishes a corpus as a snapshot, as if it had been harvested. */
import { createReadStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { decodeQuote } from "../../../src/contract/decode.ts";
import { upgradeTables } from "../../../src/snapshot/format.ts";
import { writeQuotes } from "../../../src/snapshot/row.ts";
import { snapshotId, snapshotPath, writePointer } from "../../../src/snapshot/published/pointer.ts";
import { Database } from "../../../src/sqlite/database.ts";

const HARVEST = {
  label: "complete:proved",
  assumption: null,
  started: "2026-11-20T02:00:00.000Z",
  finished: "2026-11-20T02:03:00.000Z",
  requests: 0,
  waits: 0,
  waitedMs: 0,
  retries: 0,
  duplicates: 0,
  repaired: 0,
  removed: 0,
  quarantined: 0,
};

export async function publish(corpus: string, state: string, now: number): Promise<void> {
  const id = snapshotId(1, now, "0".repeat(8));
  mkdirSync(join(state, "snapshots"), { recursive: true });
  using database = new Database(snapshotPath(state, id));
  database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN");
  upgradeTables(database);
  for await (const line of createInterface({ input: createReadStream(corpus) })) {
    const quote = decodeQuote(JSON.parse(line));
    if (!quote.ok) throw new Error(quote.reason);
    writeQuotes(database, [quote.value]);
  }
  for (const [key, value] of Object.entries({ harvest: HARVEST, source: { host: "localhost" } })) {
    database.run("INSERT INTO facts VALUES (?, ?)", key, JSON.stringify(value));
  }
  database.exec("COMMIT");
  writePointer(state, id);
}
