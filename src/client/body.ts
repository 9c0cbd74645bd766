/**
 * Reads a body whole: decompressed, counted after decompression, as UTF-8.
 *
 * undici's `request` neither decompresses nor limits, and a small gzip can hold a very large page.
 */
import { pipeline } from "node:stream/promises";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AttemptFailed } from "./attempt-failed.ts";

/** What we can decode, for `Accept-Encoding`. */
export const ENCODINGS = "gzip, br";

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * @param maxBytes most bytes after decompression
 * @throws {AttemptFailed} when it is larger, cannot be decoded, or is not UTF-8
 */
export async function readBody(
  body: Readable,
  encoding: string | null,
  maxBytes: number,
): Promise<string> {
  const name = encoding?.trim().toLowerCase() ?? "identity";
  if (name === "" || name === "identity") return decode(await collect(body, maxBytes));
  const decoder = DECODERS[name];
  if (decoder === undefined) {
    body.destroy();
    throw new AttemptFailed("garbled", `a body encoded as "${name.slice(0, 20)}"`);
  }
  const decoded = decoder();
  const collected = collect(decoded, maxBytes);
  // A failure upstream ends `decoded` too, and reaches us through it.
  await Promise.allSettled([pipeline(body, decoded), collected]);
  return decode(await collected);
}

async function collect(bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new AttemptFailed("garbled", `a body of more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new AttemptFailed("transient", "a body that is not UTF-8", { cause: error });
  }
}
