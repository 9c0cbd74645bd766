/**
 * Real quotes and pictures where `REAL_QUOTES` names their folder, and a few quotes made for the tests elsewhere. No test
 * looks outside of the repository by itself.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Spelling } from "../../../src/plan/terms.ts";

const ROOT = join(import.meta.dirname, "../../..");
const OWN = join(import.meta.dirname, "../../fixtures/names.ndjson");

interface RealQuote {
  readonly quote: string;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly language: string;
}

/** Path of a file of the real data; null where no test may use it. A folder that is named must have the file. */
export function realFile(name: string): string | null {
  const folder = process.env["REAL_QUOTES"] ?? "";
  return folder === "" ? null : join(resolve(ROOT, folder), name);
}

/** All of them, or those of the smaller file. */
export function realQuotes(name: "quotes.ndjson.gz" | "quotes.sample.ndjson" = "quotes.ndjson.gz") {
  const bytes = readFileSync(realFile(name) ?? OWN);
  const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString();
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
