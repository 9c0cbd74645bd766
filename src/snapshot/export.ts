/**
 * A snapshot as NDJSON: one quote a line, in the contract's field names, ordered by pk.
 *
 * JSON escapes the controls below U+0020 alone. The others, and the two line separators that JSON lets through, are
 * escaped here too, so that no quote can steer the terminal it is shown on.
 */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { toWire } from "../contract/quote.ts";
import type { PublishedSnapshot } from "./published/published-snapshot.ts";

const STEERING = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

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
    lines.push(safeLine(toWire(quote)));
    if (lines.length < BATCH) continue;
    if (!to.write(lines.join(""))) await once(to, "drain");
    lines = [];
  }
  if (lines.length > 0 && !to.write(lines.join(""))) await once(to, "drain");
}

function safeLine(value: unknown): string {
  const json = JSON.stringify(value).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${json}\n`;
}
