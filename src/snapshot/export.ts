/**
 * A snapshot as NDJSON: one quote a line, in the contract's field names, ordered by pk.
 *
 * No quote can steer the terminal or the CI system that it is shown on.
 */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { printableJson } from "../contract/printable.ts";
import { toWire } from "../contract/quote.ts";
import type { PublishedSnapshot } from "./published/published-snapshot.ts";

/** Lines written at once. */
const BATCH = 256;

/** Writes every quote, as fast as the reader takes them; a reader who goes away ends it without complaint. */
export async function exportQuotes(
  snapshot: Pick<PublishedSnapshot, "all">,
  to: Writable,
): Promise<void> {
  try {
    await writeLines(snapshot, to);
  } catch (error) {
    const gone = error instanceof Error && "code" in error && error.code === "EPIPE";
    if (!gone) throw error;
  }
}

async function writeLines(snapshot: Pick<PublishedSnapshot, "all">, to: Writable): Promise<void> {
  let lines: string[] = [];
  for (const quote of snapshot.all()) {
    lines.push(`${printableJson(toWire(quote))}\n`);
    if (lines.length < BATCH) continue;
    if (!to.write(lines.join(""))) await once(to, "drain");
    lines = [];
  }
  if (lines.length > 0 && !to.write(lines.join(""))) await once(to, "drain");
}
