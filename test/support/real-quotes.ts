/** Real quotes where the shared data is present, and a few of our own making where it is not. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Spelling } from "../../src/plan/term.ts";

const SHARED = join(import.meta.dirname, "../../../shared/data/quotes.ndjson.gz");
const OWN = join(import.meta.dirname, "../fixtures/names.ndjson");

export interface RealQuote {
  readonly quote: string;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly language: string;
}

export function realQuotes(): RealQuote[] {
  const text = existsSync(SHARED)
    ? gunzipSync(readFileSync(SHARED)).toString()
    : readFileSync(OWN, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RealQuote);
}

/** Each name once, with the number of quotes that carry it. */
export function countNames(names: Iterable<string | null>): Spelling[] {
  const counts = new Map<string | null, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts, ([name, quotes]) => ({ name, quotes }));
}
