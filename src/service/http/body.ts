/**
 * A request's body, up to the size that the contract needs.
 *
 * Counted while it arrives, since a chunked body announces no length. (hono's own limit makes a new Request of ours,
 * which needs the process's global Request replaced.)
 */

/** No body of the contract needs more than a few dozen bytes. */
export const MAX_BODY_BYTES = 4 * 1024;

/** The bytes; null when there are more than the limit, the rest being left unread. */
export async function readBody(request: Request): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_BODY_BYTES) return null;
  const reader = request.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(value);
  }
}
