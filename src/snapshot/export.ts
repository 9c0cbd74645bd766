/**
 * A snapshot as NDJSON: one quote a line, in the contract's field names, ordered by pk.
 *
 * JSON escapes the controls below U+0020 alone. The others, and the two line separators that JSON lets through, are
 * escaped here too, so that no quote can steer the terminal it is shown on.
 */
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toWire } from "../contract/quote.ts";
import type { PublishedSnapshot } from "../contract/snapshot.ts";

const STEERING = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

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
    if (lines.push(safeLine(toWire(quote))) < BATCH) continue;
    yield lines.join("");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("");
}

function safeLine(value: unknown): string {
  const json = JSON.stringify(value).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${json}\n`;
}
