/** Reads a body to its end, or refuses it at the first byte too many. */
import type { Readable } from "node:stream";
import { PictureFailed } from "../failures.ts";

/**
 * @param declared the `Content-Length`, where there is one: a body that admits to be too large is not begun
 * @throws {PictureFailed} `too-many-bytes`; the connection is given up, since its rest is not wanted
 */
export async function readBody(
  body: Readable,
  declared: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const tooMany = new PictureFailed("too-many-bytes", `it has more than ${maxBytes} bytes`);
  if (Number(declared ?? 0) > maxBytes) {
    giveUp(body);
    throw tooMany;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooMany;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Ends a body nobody wants. Its own complaint about that is of no interest. */
export function giveUp(body: Readable): void {
  body.on("error", () => undefined).destroy();
}
