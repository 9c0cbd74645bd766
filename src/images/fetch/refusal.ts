/**
 * What the service's own host says when it wants to be left alone, for whoever keeps the time that it names.
 *
 * How long that is nobody here knows: its quotes and its pictures are asked under one quota, which is the harvest's to keep.
 */
import type { Readable } from "node:stream";
import { PictureFailed } from "../failures.ts";
import { readBody } from "./read-body.ts";

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
