/**
 * Loads a file of quotes of any size into a store, in batches.
 *
 * An invalid record is logged with its place and skipped; a file with too many of them is refused.
 */
import { UsageError } from "../contract/errors.ts";
import { UNDETERMINED } from "../contract/languages.ts";
import { readRecords } from "./data-file.ts";
import type { StoredQuote } from "./quote.ts";
import { exampleQuote, ownQuote, readQuote } from "./record.ts";
import type { Store } from "./store.ts";

/** Records of one transaction. */
const BATCH = 5_000;

/** Invalid records that are logged; further ones are only counted. */
const LOGGED = 5;

/** Share of the records that may be invalid. */
const TOLERATED = 0.01;

/** How the records of an operator's own file become quotes. */
export interface OwnFile {
  /** Language of quotes that name none; null for none. */
  readonly language: string | null;
  /** Share of the records that may be invalid, from 0 to 1. */
  readonly maxUnreadable: number;
}

/** What a file had. */
export interface Loaded {
  readonly added: number;
  /** Quotes whose key is in the collection already, was reported, or is repeated in the file. */
  readonly known: number;
  /** Invalid records. */
  readonly bad: number;
  /** Why the first of them are invalid, each with its place. */
  readonly faults: readonly string[];
  /** Quotes without a known language. */
  readonly undetermined: number;
}

/** Too many records of a file are invalid. */
export class TooManyInvalid extends UsageError {}

/**
 * @param log called with a message for each of the first invalid records
 * @param own how quotes are made of an operator's own file; without it the file is one of an example service
 * @throws {UsageError} when the file cannot be read or has no quote; the store keeps the quotes that were added before
 * @throws {TooManyInvalid} when too many of its records are invalid
 */
export async function loadFile(
  store: Store,
  path: string,
  log: (line: string) => void,
  own: OwnFile | null = null,
): Promise<Loaded> {
  const tolerated = own?.maxUnreadable ?? TOLERATED;
  let [added, records, bad, undetermined] = [0, 0, 0, 0];
  const faults: string[] = [];
  const batch: StoredQuote[] = [];
  for await (const record of readRecords(path)) {
    records++;
    const read = readQuote(record, (fields, number) =>
      own === null ? exampleQuote(fields, number) : ownQuote(fields, own.language),
    );
    if ("quote" in read) {
      batch.push(read.quote);
      if (read.quote.language === UNDETERMINED) undetermined++;
    } else if (bad++ < LOGGED) {
      log(`${path}, ${read.reason}`);
      faults.push(read.reason);
    }
    if (batch.length === BATCH) added += store.insert(batch.splice(0));
    if (bad > 1_000 && bad > records * tolerated) break;
  }
  added += store.insert(batch);
  if (records === 0) throw new UsageError(`Cannot load ${path}: it is empty`);
  // One record never ends a run, also where a file has only a few.
  if (records === bad || (bad > 1 && bad > records * tolerated)) {
    const reason = `${bad} of ${records} records are invalid, ${faults[0] ?? ""}`;
    throw new TooManyInvalid(`Cannot load ${path}: ${reason}`);
  }
  store.index();
  return { added, known: records - bad - added, bad, faults, undetermined };
}
