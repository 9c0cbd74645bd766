/**
 * Reads a file of quotes, record by record: NDJSON, JSON or CSV, plain or gzipped, in UTF-8 or UTF-16.
 *
 * The name decides the format: `.csv`, `.tsv` and `.json` are what they say, all others are NDJSON. Fields may have the names
 * that other programs give them (`FIELD_NAMES`).
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { getSystemErrorMessage } from "node:util";
import { createGunzip } from "node:zlib";
import { parseJson } from "../contract/decode.ts";
import { UsageError } from "../contract/errors.ts";
import { printable } from "../util/text.ts";

/** Fields of a quote, each with the names that it may have in a file, most specific first. Case and spaces do not matter in CSV. */
const FIELD_NAMES = {
  pk: ["pk"],
  id: ["id", "_id"],
  quote: ["quote", "quotetext", "text", "highlight", "content"],
  author: ["author", "authorname", "bookauthor"],
  likes: ["likes", "numlikes"],
  tags: ["tags", "categories", "category", "keywords"],
  image: ["image", "imageurl"],
  language: ["language", "lang"],
  curated: ["curated"],
  source: ["work", "book", "booktitle", "source"],
  year: ["year"],
} as const;

type Field = keyof typeof FIELD_NAMES;
type Fields = Partial<Record<Field, unknown>>;

const FIELDS = Object.keys(FIELD_NAMES) as Field[];

/** A record of a file, or why there is none. */
export interface FileRecord {
  /** Number of its first line, or of the record in a JSON array, from 1. */
  readonly number: number;
  /** Such as `line 7`. */
  readonly place: string;
  /** Names a field as the file does, after the place: `, column Likes`. */
  readonly label: (field: string) => string;
  readonly read: { readonly fields: Fields } | { readonly reason: string };
}

/** In UTF-16 code units; no quote is longer. A file without line ends must not fill the memory. */
const MAX_RECORD = 1_000_000;

const TOO_LONG = "longer than a quote can be";

/** Bytes without a line that is not blank: a file goes on with something else, one such as /dev/zero does not. */
const MOST_WITHOUT_LINE = 256e6;

/** Characters of a file that is parsed as a whole. */
const MAX_JSON = 256e6;

/** @throws {UsageError} naming the file and the reason, when it cannot be read to its end */
export async function* readRecords(path: string): AsyncGenerator<FileRecord, void, undefined> {
  const name = path.toLowerCase().replace(/\.gz$/, "");
  const refuse = (why: string, cause?: unknown): UsageError =>
    new UsageError(`Cannot load ${path}: ${printable(why, 400)}`, { cause });
  try {
    const chunks = decode(await openBytes(path));
    if (/\.[ct]sv$/.test(name)) yield* readCsv(withPlainLineEnds(chunks), refuse);
    else if (name.endsWith(".json")) yield* readJson(chunks, refuse);
    else yield* readLines(splitLines(chunks, refuse));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, errno, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Errors of zlib have no system call, and an `errno` of their own.
    const ofSystem =
      code === "EISDIR" ? "it is a folder" : syscall && errno && getSystemErrorMessage(errno);
    throw refuse(ofSystem || message, error);
  }
}

type Refuse = (why: string, cause?: unknown) => UsageError;
type Chunks = AsyncGenerator<string, void, undefined>;

async function openBytes(path: string): Promise<AsyncIterable<Buffer>> {
  // This comes first: an error of a stream that has no listener yet ends the process.
  const isPacked = await isGzip(path);
  const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
  return isPacked ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
}

/** Whether a file begins with the two bytes of gzip. */
async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

/** Decodes UTF-8, and UTF-16 where a byte order mark names it, as Excel's "Unicode Text" has one. Leaves the mark out. */
async function* decode(bytes: AsyncIterable<Buffer>): Chunks {
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? "utf-16le" : "utf-8");
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? "";
}

/**
 * Writes line ends as `\n`: the CSV parser counts the others twice inside of quotation marks. Leaves the middle of an endless
 * line out, so that it ends as one invalid record.
 */
async function* withPlainLineEnds(chunks: Chunks): Chunks {
  let rest = "";
  let length = 0;
  for await (const chunk of chunks) {
    const text = rest + chunk;
    rest = text.endsWith("\r") ? "\r" : "";
    const end = text.lastIndexOf("\n");
    if (end === -1 && length > MAX_RECORD) continue;
    length = end === -1 ? length + text.length : text.length - end;
    yield text.slice(0, text.length - rest.length).replaceAll("\r\n", "\n");
  }
  yield rest;
}

/** Splits a text into lines. (`readline` would also split at U+2028.) */
async function* splitLines(chunks: Chunks, refuse: Refuse): Chunks {
  let rest = "";
  let barren = 0;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    barren = lines.length > 1 && /\S/.test(chunk) ? 0 : barren + chunk.length;
    if (barren > MOST_WITHOUT_LINE) {
      const size = `${MOST_WITHOUT_LINE / 1e6} MB`;
      throw refuse(`${size} follow without a line; name a file of one JSON a line`);
    }
    rest = (lines.pop() ?? "").slice(0, MAX_RECORD + 1);
    yield* lines;
  }
  yield rest;
}

async function* readLines(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<FileRecord, void, undefined> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    yield { number, place: `line ${number}`, label: afterColon, read: fieldsOf(line) };
  }
}

const afterColon = (field: string): string => `: ${field}`;

function fieldsOf(line: string): FileRecord["read"] {
  if (line.length > MAX_RECORD) return { reason: TOO_LONG };
  const value = parseJson(line);
  return value === undefined ? { reason: "not JSON" } : pickFields(value);
}

/** The fields of a JSON object; a name that is not in the table is ignored. */
function pickFields(value: unknown): FileRecord["read"] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { reason: "expected an object" };
  }
  const record = value as Readonly<Record<string, unknown>>;
  const fields: Fields = {};
  for (const field of FIELDS) {
    const name = FIELD_NAMES[field].find((known) => Object.hasOwn(record, known));
    if (name !== undefined) fields[field] = record[name];
  }
  return { fields };
}

/** Reads an array of objects, also as the only array of an object; and NDJSON, which some programs write with this name. */
async function* readJson(
  chunks: Chunks,
  refuse: Refuse,
): AsyncGenerator<FileRecord, void, undefined> {
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > MAX_JSON) {
      throw refuse(`it is larger than ${MAX_JSON / 1e6} MB; write one JSON a line, as .ndjson`);
    }
  }
  const isLines = parseJson(text.trimStart().split("\n", 1)[0] ?? "") !== undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (isLines) return yield* readLines(text.split("\n"));
    throw refuse(`${placeIn(text, error.message)}it is not JSON: ${error.message}`, error);
  }
  const records = arrayIn(value);
  if (records === null) throw refuse("expected an array of quotes");
  for (const [index, record] of records.entries()) {
    const number = index + 1;
    yield { number, place: `record ${number}`, label: afterColon, read: pickFields(record) };
  }
}

/** The place of a syntax error, as V8 gives it: by a position, or by the text around it. */
function placeIn(text: string, message: string): string {
  const shape = /at position (\d+)|, \.\.\."(.*)"(?:\.\.\.)? is not valid/s;
  const [, position, around] = shape.exec(message) ?? [];
  const at = position === undefined ? text.indexOf(around ?? "\0") + 10 : Number(position);
  const lines = text.slice(0, at).split("\n");
  return at < 10 ? "" : `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: `;
}

function arrayIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (typeof value !== "object" || value === null) return null;
  const lists = Object.values(value).filter(Array.isArray) as (readonly unknown[])[];
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

/** What separates the columns of a CSV file; the one that the header has most. */
const DELIMITERS = [",", ";", "\t"];

/** Reads CSV with a header (RFC 4180). A line `sep=;` before the header names the delimiter, as Excel writes it. */
async function* readCsv(
  chunks: Chunks,
  refuse: Refuse,
): AsyncGenerator<FileRecord, void, undefined> {
  const start = await chunks.next();
  const head = start.done === true ? "" : start.value;
  const named = /^"?sep=(.)"?\n/i.exec(head)?.[1];
  const { parse, CsvError } = await import("csv-parse");
  const parser = parse({
    delimiter: named ?? delimiterOf(head),
    from_line: named === undefined ? 1 : 2,
    info: true,
    max_record_size: 2 * MAX_RECORD,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_empty_values: true,
  });
  const source = Readable.from(prepend(head, chunks));
  pipeline(source, parser, () => undefined);
  let header: Header | undefined;
  let last = 0;
  try {
    for await (const entry of parser) {
      const { record, info } = entry as { record: string[]; info: { lines: number } };
      // The parser counts to the end of a record.
      const breaks = record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
      const number = info.lines - breaks;
      last = info.lines;
      if (header === undefined) header = readHeader(record, number, refuse);
      else {
        const { label } = header;
        yield { number, place: `line ${number}`, label, read: readRow(header, record) };
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse(`line ${last + 1}: ${CSV_FAULTS[error.code] ?? error.message}`, error);
  }
}

const CSV_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is not closed",
  CSV_MAX_RECORD_SIZE: `${TOO_LONG}; is a quotation mark not closed?`,
};

async function* prepend(head: string, chunks: Chunks): Chunks {
  yield head;
  yield* chunks;
}

function delimiterOf(head: string): string {
  const [line = ""] = head.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

interface Header {
  readonly width: number;
  /** Index of the column of each field that is there. */
  readonly columns: ReadonlyMap<Field, number>;
  readonly label: FileRecord["label"];
}

function readHeader(names: readonly string[], line: number, refuse: Refuse): Header {
  const folded = names.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  const columns = new Map<Field, number>();
  for (const field of FIELDS) {
    const known = FIELD_NAMES[field].map((name) => name.replace("_", ""));
    const [column] = known.map((name) => folded.indexOf(name)).filter((at) => at >= 0);
    if (column !== undefined) columns.set(field, column);
  }
  if (!columns.has("quote")) {
    const got = printable(JSON.stringify(names.slice(0, 20)), 200);
    throw refuse(`line ${line}: expected a header with a column "quote", got ${got}`);
  }
  const label = (field: string): string => {
    const column = columns.get(field as Field) ?? -1;
    return `, column ${printable(names[column] ?? field, 60)}`;
  };
  return { width: names.length, columns, label };
}

function readRow({ width, columns }: Header, cells: readonly string[]): FileRecord["read"] {
  if (cells.some((cell) => cell.length > MAX_RECORD)) return { reason: TOO_LONG };
  const isLonger = cells.slice(width).some((cell) => cell.trim() !== "");
  if (cells.length < width || isLonger) {
    const advice = "put a text that holds the delimiter or a line end in quotation marks";
    return { reason: `expected ${width} columns, got ${cells.length}; ${advice}` };
  }
  const fields: Fields = {};
  for (const [field, column] of columns) {
    const cell = cells[column]?.trim() ?? "";
    if (cell.includes("\ufffd")) {
      return { reason: `not UTF-8: save the file as "CSV UTF-8"` };
    }
    if (cell !== "") fields[field] = cell;
  }
  return { fields };
}
