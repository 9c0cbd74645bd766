/**
 * Writes a snapshot as NDJSON: one quote a line, in the contract's field names, ordered by pk.
 *
 * Control sequences are escaped: quotes must not control a terminal or a CI system.
 */
import type { Writable } from "node:stream";
import { printableJson } from "../util/text.ts";
import { pipeline } from "node:stream/promises";
import { toWire } from "../contract/quote.ts";
import type { PublishedSnapshot } from "./published/read.ts";

/** Lines in one write. */
const BATCH = 256;

/** Writes every quote, with backpressure; ends without an error when the reader closes the pipe. */
export async function exportQuotes(
  snapshot: Pick<PublishedSnapshot, "all">,
  to: Writable,
): Promise<void> {
  try {
    await pipeline(batches(snapshot), to, { end: false });
  } catch (error) {
    const isClosed = error instanceof Error && "code" in error && error.code === "EPIPE";
    if (!isClosed) throw error;
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
