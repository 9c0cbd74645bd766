/**
 * A file's lines with their numbers, read as a stream; gzip is told by the first two bytes, not by the name.
 *
 * A line too long to be a quote comes as null, so that a file without line ends cannot fill the memory.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ConfigurationError } from "../../contract/errors.ts";

/** In UTF-16 code units. */
const MAX_LINE_LENGTH = 1_000_000;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Null where the line is longer than a quote can be. */
  readonly text: string | null;
}

/** Yields the lines that are not blank, a batch for each chunk that was read. */
export async function* readLines(path: string): AsyncGenerator<readonly Line[], void, undefined> {
  let number = 0;
  let rest = "";
  let overlong = false;
  const take = (text: string): Line => {
    const line = {
      number: ++number,
      text: overlong || text.length > MAX_LINE_LENGTH ? null : text,
    };
    overlong = false;
    return line;
  };
  const written = ({ text }: Line): boolean => text === null || text.trim() !== "";
  for await (const chunk of readText(path)) {
    const pieces = (rest + chunk).split("\n");
    rest = pieces.pop() ?? "";
    yield pieces.map(take).filter(written);
    if (rest.length > MAX_LINE_LENGTH) {
      overlong = true;
      rest = "";
    }
  }
  yield [take(rest)].filter(written);
}

async function* readText(path: string): AsyncGenerator<string, void, undefined> {
  try {
    const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
    const text: Readable = (await isGzip(path)) ? bytes.pipe(createGunzip()) : bytes;
    // A pipe does not pass errors on.
    bytes.on("error", (error) => text.destroy(error));
    text.setEncoding("utf8");
    for await (const chunk of text) yield chunk as string;
  } catch (error) {
    throw new ConfigurationError(`Cannot load ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
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
