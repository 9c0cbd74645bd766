/**
 * The last check: nothing that this process writes to stdout or stderr holds a secret, whatever code writes it.
 *
 * It looks at each piece that is written; what a program writes in halves is not joined. Whatever comes from the service
 * was cleaned long before, by the client.
 */
import type { SecretFinder } from "../../contract/secrets/finder.ts";

/** @returns gives the streams back as they were */
export function guardOutput(finder: SecretFinder): () => void {
  const restore = [process.stdout, process.stderr].map((stream) => guard(stream, finder));
  return () => restore.forEach((undo) => undo());
}

function guard(stream: NodeJS.WriteStream, finder: SecretFinder): () => void {
  const write = stream.write.bind(stream);
  const guarded = (chunk: string | Uint8Array, ...rest: []): boolean =>
    write(cleaned(chunk, finder), ...rest);
  stream.write = guarded;
  return () => {
    stream.write = write;
  };
}

function cleaned(chunk: string | Uint8Array, finder: SecretFinder): string | Uint8Array {
  if (typeof chunk === "string") return finder.redact(chunk);
  if (finder.find(chunk) === null) return chunk;
  return Buffer.from(finder.redact(Buffer.from(chunk).toString("utf8")));
}
