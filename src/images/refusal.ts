/**
 * Bodies of answers, and what the service's own host says when it wants to be left alone. How long it is left alone is
 * for the harvest to decide: quotes and pictures are asked under one quota.
 */
import type { Readable } from "node:stream";
import { PictureFailed } from "./failures.ts";

export interface Refusal {
  /** Too many requests; else the host is in trouble, and may say for how long. */
  readonly throttled: boolean;
  /** Reads a header by its lower-case name; null when absent. */
  readonly header: (name: string) => string | null;
  /** The first of what it says; empty where that cannot be read. */
  readonly body: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Bytes: a sentence is enough, and a larger body is not read at all. */
const MOST_BYTES = 16_384;

/** Whether an answer of this status may ask for a pause. */
export function mayAskForPause(status: number): boolean {
  return status === 429 || status === 408 || status === 425 || status >= 500;
}

export async function readRefusal(
  status: number,
  headers: Headers,
  body: Readable,
): Promise<Refusal> {
  return refusal(status === 429, headers, await textOf(body));
}

/** A picture that is none: `{"errno": 429}` with status 200. Null for everything else. */
export function refusalInDisguise(headers: Headers, bytes: Buffer): Refusal | null {
  if (bytes.length > MOST_BYTES || bytes[0] !== "{".charCodeAt(0)) return null;
  const body = bytes.toString("utf8");
  return /"errno"\s*:\s*429\b/.test(body) ? refusal(true, headers, body) : null;
}

function refusal(throttled: boolean, headers: Headers, body: string): Refusal {
  const header = (name: string): string | null => {
    const value = headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  return { throttled, header, body };
}

/** What a refusal says matters less than the refusal: a body that breaks off is an empty one. */
async function textOf(body: Readable): Promise<string> {
  try {
    return (await readBody(body, undefined, MOST_BYTES)).toString("utf8");
  } catch (error) {
    if (error instanceof PictureFailed) return "";
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

/**
 * Reads a body to its end, or refuses it at the first byte too many.
 *
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

/** Ends a body that is not wanted. Its own complaint about that is of no interest. */
export function giveUp(body: Readable): void {
  body.on("error", () => undefined).destroy();
}
