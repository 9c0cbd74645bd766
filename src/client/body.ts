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
    // Whoever ends a body early is told so by an error.
    body.once("error", () => undefined);
    body.destroy();
    throw new AttemptFailed("garbled", `a body encoded as "${name.slice(0, 20)}"`);
  }
  const decoded = decoder();
  const collected = collect(decoded, maxBytes);
  // A failure upstream ends `decoded` too, and reaches us through it.
  await Promise.allSettled([pipeline(body, decoded), collected]);
  return decode(await collected);
}

/** By events: walking a stream with `for await` costs several turns of the loop a page. */
function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      reject(new AttemptFailed("garbled", `a body of more than ${maxBytes} bytes`));
      stream.destroy();
    });
    stream.on("end", () => resolve(Buffer.concat(chunks, size)));
    stream.on("error", reject);
    stream.on("close", () => {
      // An error takes its stack: not one for every page that ended well.
      if (!stream.readableEnded) reject(new AttemptFailed("transient", "a body that broke off"));
    });
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new AttemptFailed("transient", "a body that is not UTF-8", { cause: error });
  }
}
