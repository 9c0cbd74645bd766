/**
 * Loads an NDJSON file of any size into a store, in batches.
 *
 * An invalid line is logged with its number and skipped; a file with more than 1 % invalid lines is refused. Text is not
 * cleaned: clients are tested with control characters and with authors at the end of a text. Only NUL and lone surrogates
 * are removed, since SQLite cannot store them.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { getSystemErrorMessage } from "node:util";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { type Decoded, parseJson } from "../contract/decode.ts";
import { UsageError } from "../contract/errors.ts";
import { MAX_PK } from "../contract/quote.ts";
import { deriveCurated, deriveImage, deriveLikes, type StoredQuote } from "./quote.ts";
import type { Store } from "./store.ts";

/** Lines of one transaction. */
const BATCH = 5_000;

/** Invalid lines that are logged; further ones are only counted. */
const LOGGED = 5;

/** Share of lines that may be invalid. */
const TOLERATED = 0.01;

/** In UTF-16 code units; no quote is longer. A file without line ends must not fill the memory. */
const MAX_LINE_LENGTH = 1_000_000;

/** Bytes without a line that is not blank: a file goes on with something else, one such as /dev/zero does not. */
const MOST_WITHOUT_LINE = 256e6;

/**
 * @param log called with a message for each of the first invalid lines
 * @returns numbers of lines; a quote is `known` when its pk is in the collection, was reported, or is repeated in the file
 * @throws {UsageError} when the file cannot be read, has no quote, or has too many invalid lines; the store keeps
 * the quotes that were added before
 */
export async function loadFile(store: Store, path: string, log: (line: string) => void) {
  let [added, number, lines, bad, first] = [0, 0, 0, 0, ""];
  const batch: StoredQuote[] = [];
  for await (const line of readLines(path)) {
    number++;
    if (line.trim() === "") continue;
    lines++;
    // JSON has no byte order mark, but some editors and shells write one.
    const read = readRecord(number === 1 ? line.replace(/^\uFEFF/, "") : line, number);
    if (read.ok) batch.push(read.value);
    else {
      const message = `line ${number}: ${read.reason}`;
      if (bad++ < LOGGED) log(`${path}, ${message}`);
      first ||= message;
    }
    if (batch.length === BATCH) added += store.insert(batch.splice(0));
    if (bad > 1_000 && bad > lines * TOLERATED) break;
  }
  added += store.insert(batch);
  if (lines === bad || bad > lines * TOLERATED) {
    const reason = lines === 0 ? "it is empty" : `${bad} of ${lines} lines are invalid, ${first}`;
    throw new UsageError(`Cannot load ${path}: ${reason}`);
  }
  store.index();
  return { added, known: lines - bad - added, bad };
}

/** Reads the lines of a file, plain or gzipped. (`readline` would also split at U+2028.) */
async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  try {
    // This comes first: an error of a stream that has no listener yet ends the process.
    const isPacked = await isGzip(path);
    const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
    const text = isPacked ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
    let rest = "";
    let barren = 0;
    for await (const chunk of text.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      barren = lines.length > 1 && /\S/.test(chunk) ? 0 : barren + chunk.length;
      if (barren > MOST_WITHOUT_LINE) {
        const why = `${MOST_WITHOUT_LINE / 1e6} MB follow without a line; name a file of one JSON a line`;
        throw new UsageError(`Cannot load ${path}: ${why}`);
      }
      rest = (lines.pop() ?? "").slice(0, MAX_LINE_LENGTH + 1);
      yield* lines;
    }
    yield rest;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, errno, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Errors of zlib have no system call, and an `errno` of their own.
    const reason = syscall && errno ? getSystemErrorMessage(errno) : message;
    throw new UsageError(`Cannot load ${path}: ${reason}`, { cause: error });
  }
}

/** Whether a file begins with the two bytes of gzip. */
async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

const text = z.string().transform((raw) => raw.toWellFormed().replaceAll("\0", ""));

/** Far below 2^53, so that each vote changes the number. */
const MAX_LIKES = 1e12;

const recordSchema = z.object({
  pk: z
    .int("expected an integer")
    .min(1, "expected at least 1")
    .max(MAX_PK, "too large")
    .optional(),
  quote: text.refine((quote) => quote.trim() !== "", "expected text, got none"),
  author: text.nullish(),
  likes: z.int("expected an integer").min(-MAX_LIKES).max(MAX_LIKES).nullish(),
  tags: z.union([z.array(text), text.transform((list) => list.split(","))]).nullish(),
  image: text.nullish(),
  language: text.pipe(z.string().max(35, "expected a language code")).nullish(),
  curated: z.union([z.boolean(), z.literal([0, 1]).transform((flag) => flag === 1)]).nullish(),
});

/** Language of a record without one (BCP 47, "undetermined"). */
const NO_LANGUAGE = "und";

/** @param line number of the line, which is the default of `pk` */
function readRecord(json: string, line: number): Decoded<StoredQuote> {
  if (json.length > MAX_LINE_LENGTH) return { ok: false, reason: "longer than a quote can be" };
  const raw = parseJson(json);
  if (raw === undefined) return { ok: false, reason: "not JSON" };
  const read = recordSchema.safeParse(raw);
  if (!read.success) {
    const issue = read.error.issues[0];
    const field = issue?.path.join(".") ?? "";
    return { ok: false, reason: `${field === "" ? "record" : field}: ${issue?.message ?? "bad"}` };
  }
  const { pk = line, quote, author, likes, tags, image, language, curated } = read.data;
  const names = (tags ?? []).map((name) => name.trim()).filter((name) => name !== "");
  return {
    ok: true,
    value: {
      pk,
      quote,
      author: author ?? null,
      likes: likes ?? deriveLikes(quote),
      tags: [...new Set(names)],
      image: image === undefined ? deriveImage(quote) : image,
      language: language ?? NO_LANGUAGE,
      curated: curated ?? deriveCurated(quote),
    },
  };
}
