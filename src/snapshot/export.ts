/**
 * A snapshot as NDJSON: one quote a line, in the contract's field names, ordered by pk.
 *
 * No quote can steer the terminal or the CI system that it is shown on.
 */
import type { Writable } from "node:stream";
import { printableJson } from "../contract/printable.ts";
import { pipeline } from "node:stream/promises";
import { toWire } from "../contract/quote.ts";
import type { PublishedSnapshot } from "./published/read.ts";

/** Lines written at once. */
const BATCH = 256;

/** Writes every quote, as fast as the reader takes them; a reader who goes away ends it without complaint. */
export async function exportQuotes(
  snapshot: Pick<PublishedSnapshot, "all">,
  to: Writable,
): Promise<void> {
  try {
    await pipeline(batches(snapshot), to, { end: false });
  } catch (error) {
    const gone = error instanceof Error && "code" in error && error.code === "EPIPE";
    if (!gone) throw error;
  }
}

function* batches(snapshot: Pick<PublishedSnapshot, "all">): Generator<string> {
  let lines: string[] = [];
  for (const quote of snapshot.all()) {
    if (lines.push(`${printableJson(toWire(quote))}\n`) < BATCH) continue;
    yield lines.join("");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("");
}
