/**
 * Writes a snapshot as NDJSON: one quote a line, in the contract's field names, ordered by pk.
 *
 * Control sequences are escaped: quotes must not control a terminal or a CI system.
 */
import type { Writable } from "node:stream";
import { printableJson } from "../util/text.ts";
import { pipeline } from "node:stream/promises";
import { toWire, type Quote } from "../contract/quote.ts";
import type { PublishedSnapshot } from "./published/read.ts";

/** Lines in one write. */
const BATCH = 256;

/**
 * Writes every quote, with backpressure; ends without an error when the reader closes the pipe.
 *
 * @param correct gives the quote itself where the site corrects nothing
 */
export async function exportQuotes(
  snapshot: Pick<PublishedSnapshot, "all">,
  to: Writable,
  correct: (served: Quote) => Quote = (served) => served,
): Promise<void> {
  try {
    await pipeline(batches(snapshot, correct), to, { end: false });
  } catch (error) {
    const isClosed = error instanceof Error && "code" in error && error.code === "EPIPE";
    if (!isClosed) throw error;
  }
}

function* batches(
  snapshot: Pick<PublishedSnapshot, "all">,
  correct: (served: Quote) => Quote,
): Generator<string> {
  let lines: string[] = [];
  for (const served of snapshot.all()) {
    const quote = correct(served);
    // As in the API of the site.
    const wire = quote === served ? toWire(quote) : { ...toWire(quote), corrected: true };
    if (lines.push(`${printableJson(wire)}\n`) < BATCH) continue;
    yield lines.join("");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("");
}
