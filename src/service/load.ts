/**
 * Loads a data file of any size into a store, a batch at a time.
 *
 * A line that is no quote is told with its number and left out; a file in which more than one line in a hundred is
 * wrong is another kind of file, and refused.
 */
import { ConfigurationError } from "../../contract/errors.ts";
import type { HeldQuote } from "../store/held-quote.ts";
import type { Store } from "../store/store.ts";
import { readLines } from "./lines.ts";
import { readRecord } from "./record.ts";

/** What a load did, in lines. */
export interface Loaded {
  readonly added: number;
  /** Their pk was in the collection, twice in the file, or reported. */
  readonly known: number;
  readonly bad: number;
}

const BATCH = 5_000;

/** Bad lines told one by one; the rest are counted. */
const TOLD = 5;

/** Share of lines that may be wrong. */
const TOLERATED = 0.01;

/**
 * @param say told of each bad line, up to a few
 * @throws {ConfigurationError} when the file cannot be read, holds no quote, or too many lines are wrong; what was
 * added by then stays
 */
export async function loadFile(
  store: Store,
  path: string,
  say: (line: string) => void,
): Promise<Loaded> {
  let added = 0;
  let lines = 0;
  let bad = 0;
  let first = "";
  let batch: HeldQuote[] = [];
  for await (const group of readLines(path)) {
    for (const { number, text } of group) {
      lines++;
      const read =
        text === null
          ? { ok: false as const, reason: "longer than a quote can be" }
          : readRecord(text, number);
      if (read.ok) batch.push(read.value);
      else {
        const complaint = `line ${number}: ${read.reason}`;
        if (bad++ < TOLD) say(`${path}, ${complaint}`);
        first ||= complaint;
      }
    }
    if (batch.length >= BATCH) {
      added += store.insert(batch);
      batch = [];
    }
    if (bad > 1_000 && bad > lines * TOLERATED) break;
  }
  added += store.insert(batch);
  if (lines === bad || bad > lines * TOLERATED) {
    const reason = lines === 0 ? "it is empty" : `${bad} of ${lines} lines are no quotes, ${first}`;
    throw new ConfigurationError(`Cannot load ${path}: ${reason}`);
  }
  store.index();
  return { added, known: lines - bad - added, bad };
}
