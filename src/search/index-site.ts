/**
 * Makes the search index of a finished site: `dist/pagefind`, with Pagefind as a library.
 *
 * The same quotes give the same files, and a file whose content is there already is not touched. A run over unchanged
 * quotes costs one pass over them and starts no Pagefind at all.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { close, createIndex } from "pagefind";
import { DiskError } from "../contract/errors.ts";
import { wordsOf, type QuoteToIndex } from "./blocks.ts";
import { CommonWords } from "./common-words.ts";
import { recordsOf, type SearchRecord } from "./documents.ts";
import { keepQuotes } from "./keep-quotes.ts";
import { layOut } from "./layout.ts";
import { listed, moveInto } from "./move.ts";

export interface SearchOptions {
  readonly outDir: string;
  readonly stateDir: string;
  /** Every quote once, in the order of the authors' listings. */
  readonly quotes: Iterable<QuoteToIndex>;
  readonly signal?: AbortSignal;
  readonly say?: (line: string) => void;
}

export interface SearchReport {
  readonly quotes: number;
  /** Of the index: what Pagefind calls pages. */
  readonly records: number;
  readonly files: number;
  readonly bytes: number;
  /** Files that differ from the last run's, or are gone. */
  readonly changed: number;
  /** Whether Pagefind had to run. */
  readonly made: boolean;
}

/** Folder of `dist`, and the name that pages import it by. */
const SEARCH_FOLDER = "pagefind";

/** Raise it when the same quotes give other records. */
const VERSION = 3;

/** Words told to whoever searches, so that a rare one is looked up first: some 2 kB. */
const COMMON_WORDS = 600;

/** Records sent to Pagefind before it has answered the first. */
const IN_FLIGHT = 16;

/**
 * @throws {DiskError} when the index cannot be written
 * @throws the reason of `signal`
 */
export async function indexSite(options: SearchOptions): Promise<SearchReport> {
  const { outDir, stateDir, signal } = options;
  let quotes = 0;
  function* counted(): Generator<QuoteToIndex> {
    for (const quote of options.quotes) {
      quotes++;
      yield quote;
    }
  }
  const records = recordsOf(counted());
  const target = join(outDir, SEARCH_FOLDER);
  const keyFile = join(stateDir, "search.key");
  const key = keyOf(records);
  const before = listed(target);
  if (readKey(keyFile) === keyWith(key, before)) {
    return report(quotes, records.length, before, 0, false);
  }
  // What stands may not be what is claimed from now on.
  rmSync(keyFile, { force: true });
  const unfinished = join(stateDir, "search.unfinished");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(stateDir, { recursive: true });
  try {
    await makeIndex(records, unfinished, options);
    signal?.throwIfAborted();
    const changed = moveInto(unfinished, target);
    const files = listed(target);
    writeFileSync(keyFile, keyWith(key, files));
    return report(quotes, records.length, files, changed, true);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function makeIndex(
  records: readonly SearchRecord[],
  outputPath: string,
  { signal, say }: SearchOptions,
): Promise<void> {
  try {
    // Words are folded before they get here; Pagefind's own stemming knows one language a page.
    const { index, errors } = await createIndex({ forceLanguage: "unknown" });
    if (index === undefined) throw new DiskError(`Cannot index: ${errors.join(", ")}`);
    const common = new CommonWords();
    for (let from = 0; from < records.length; from += IN_FLIGHT) {
      signal?.throwIfAborted();
      const batch = records.slice(from, from + IN_FLIGHT);
      const added = await Promise.all(
        batch.map(({ key, blocks }) => {
          const words = blocks.map(wordsOf);
          for (const block of words) common.count(block);
          return index.addHTMLFile({ url: key, content: layOut(words) });
        }),
      );
      refuse(added.flatMap((answer) => answer.errors));
      say?.(`${from + batch.length} of ${records.length} records`);
    }
    refuse((await index.writeFiles({ outputPath })).errors);
    keepQuotes(outputPath, records);
    writeFileSync(join(outputPath, "common.txt"), common.first(COMMON_WORDS).join(" "));
  } finally {
    await close();
  }
}

function refuse(errors: readonly string[]): void {
  if (errors.length > 0) throw new DiskError(`Cannot write the search index: ${errors.join(", ")}`);
}

function keyOf(records: readonly SearchRecord[]): string {
  const digest = createHash("sha256").update(String(VERSION));
  // A record's key has a digest of what the record holds.
  for (const { key } of records) digest.update(key);
  return digest.digest("hex");
}

/** Names and sizes are in the key, so that an index somebody deleted or cut is made again. */
function keyWith(key: string, files: ReadonlyMap<string, number>): string {
  const names = createHash("sha256");
  for (const [name, size] of files) names.update(`${name} ${size}\n`);
  return `${key} ${names.digest("hex")}\n`;
}

function readKey(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function report(
  quotes: number,
  records: number,
  files: ReadonlyMap<string, number>,
  changed: number,
  made: boolean,
): SearchReport {
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  return { quotes, records, files: files.size, bytes, changed, made };
}
