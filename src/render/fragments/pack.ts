/** Markup with scripts between, as bytes: each part after its length, whose lowest bit says which of both it is. */
import type { FragmentPart } from "../inside/types.ts";

const MARKUP = 0;
const SCRIPT = 1;

const HEAD_BYTES = 4;

export function pack(parts: readonly FragmentPart<string>[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const markup = typeof part === "string";
      const bytes = Buffer.from(markup ? part : JSON.stringify([part.id, part.content]));
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(bytes.length * 2 + (markup ? MARKUP : SCRIPT));
      return [head, bytes];
    }),
  );
}

/** @param markup stands for the bytes from `at` on */
export function unpack<Markup>(
  bytes: Buffer,
  markup: (at: number, length: number) => Markup,
): FragmentPart<Markup>[] {
  const parts: FragmentPart<Markup>[] = [];
  for (let at = 0; at < bytes.length;) {
    const head = bytes.readUInt32LE(at);
    const length = head >>> 1;
    at += HEAD_BYTES;
    if ((head & 1) === MARKUP) parts.push(markup(at, length));
    else {
      const script = bytes.toString("utf8", at, at + length);
      const [id = "", content = ""] = JSON.parse(script) as string[];
      parts.push({ id, content });
    }
    at += length;
  }
  return parts;
}
