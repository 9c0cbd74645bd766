/**
 * Loads a data file of any size into a store, a batch at a time.
 *
 * A line that is no quote is reported with its number and left out; a file in which more than one line in a hundred is
 * wrong is another kind of file, and refused. Text is kept as it is, control characters and glued authors included, so
 * that a consumer's tidying is tested; only NUL and lone surrogates go, which SQLite cannot hold.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import type { Decoded } from "../contract/decode.ts";
import { ConfigurationError } from "../contract/errors.ts";
import { MAX_PK } from "../contract/quote.ts";
import { derivedCurated, derivedImage, derivedLikes, type HeldQuote } from "./quote.ts";
import type { Store } from "./store.ts";

/** What a load did, in lines. */
export interface Loaded {
  readonly added: number;
  /** Their pk was in the collection, twice in the file, or reported. */
  readonly known: number;
  readonly bad: number;
}

const BATCH = 5_000;

/** Bad lines reported one by one; the rest are counted. */
const REPORTED = 5;

/** Share of lines that may be wrong. */
const TOLERATED = 0.01;

/** No quote is longer, in UTF-16 code units: a file without line ends must not fill the memory. */
const MAX_LINE_LENGTH = 1_000_000;

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
  let [added, number, lines, bad, first] = [0, 0, 0, 0, ""];
  const batch: HeldQuote[] = [];
  for await (const line of linesOf(path)) {
    number++;
    if (line.trim() === "") continue;
    lines++;
    const read = readRecord(line, number);
    if (read.ok) batch.push(read.value);
    else {
      const complaint = `line ${number}: ${read.reason}`;
      if (bad++ < REPORTED) say(`${path}, ${complaint}`);
      first ||= complaint;
    }
    if (batch.length === BATCH) added += store.insert(batch.splice(0));
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

/** The lines of a file, also gzipped: the first two bytes show it, not the name. (`readline` also splits at U+2028.) */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  try {
    // Before the stream: one that fails while nothing listens ends the process.
    const isPacked = await isGzip(path);
    const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
    const text = isPacked ? bytes.pipe(createGunzip()) : bytes;
    // A pipe does not pass errors on.
    bytes.on("error", (error) => text.destroy(error));
    let rest = "";
    for await (const chunk of text.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      rest = (lines.pop() ?? "").slice(0, MAX_LINE_LENGTH + 1);
      yield* lines;
    }
    yield rest;
  } catch (error) {
    throw new ConfigurationError(`Cannot load ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  Z_DATA_ERROR: "its gzip data is damaged",
  Z_BUF_ERROR: "its gzip data ends early",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error) || code === "") throw error;
  return REASONS[code] ?? error.message;
}

const text = z.string().transform((raw) => raw.toWellFormed().replaceAll("\0", ""));

/** Far below 2^53, so that votes can be counted on for ever. */
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

/** What a record without a language gets (BCP 47, "undetermined"). */
const NO_LANGUAGE = "und";

/** @param line number of the line, which is its pk where it names none */
function readRecord(json: string, line: number): Decoded<HeldQuote> {
  if (json.length > MAX_LINE_LENGTH) return { ok: false, reason: "longer than a quote can be" };
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, reason: "not JSON" };
  }
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
      likes: likes ?? derivedLikes(quote),
      tags: [...new Set(names)],
      image: image === undefined ? derivedImage(quote) : image,
      language: language ?? NO_LANGUAGE,
      curated: curated ?? derivedCurated(quote),
    },
  };
}
