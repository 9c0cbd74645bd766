/**
 * From the bytes of a body to its text: decompressed, counted after decompression, as UTF-8.
 *
 * undici's `request` does neither, and a small gzip can hold a very large page.
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { AttemptFailed } from "./attempt-failed.ts";

/** What we can decode, for `Accept-Encoding`. */
export const ENCODINGS = "gzip, br";

type Decode = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer<ArrayBufferLike>>;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  "x-gzip": promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
};

/** Whether a body is sent as it is. */
export function isIdentity(encoding: string): boolean {
  return /^\s*(?:identity\s*)?$/i.test(encoding);
}

/**
 * @param maxBytes most bytes after decompression
 * @throws {AttemptFailed} when it is larger, or cannot be decoded
 */
export async function decompressed(
  bytes: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decode === undefined) {
    throw new AttemptFailed("garbled", `a body encoded as "${name.slice(0, 20)}"`);
  }
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new AttemptFailed("transient", `a body that cannot be decoded (${String(error.code)})`, {
      cause: error,
    });
  }
}

export function tooLarge(maxBytes: number): AttemptFailed {
  return new AttemptFailed("garbled", `a body of more than ${maxBytes} bytes`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @throws {AttemptFailed} when it is not UTF-8 */
export function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new AttemptFailed("transient", "a body that is not UTF-8", { cause: error });
  }
}
