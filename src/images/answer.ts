/** What an answer of a host says besides its picture: how long it may be used, and what makes the next request conditional. */
import type { Readable } from "node:stream";
import CachePolicy from "http-cache-semantics";
import type { IncomingHttpHeaders } from "undici/types/header.js";
import { PictureFailed } from "./failures.ts";

/** A header of an answer by its lower-case name; null when absent. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A host that says "a year" may still be wrong. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/**
 * How long an answer may be used without asking again (RFC 9111), cut to what a nightly build needs.
 *
 * @param now milliseconds since the epoch
 * @returns until when, in milliseconds since the epoch; `now` without a promise
 */
export function freshUntil(headers: IncomingHttpHeaders, now: number): number {
  // Names of directives may be in capitals (RFC 9111, section 5.2); the library knows small letters alone.
  const directives = (headerOf(headers, "cache-control") ?? "").toLowerCase();
  const age = headerOf(headers, "age") ?? "0";
  const policy = new CachePolicy(
    { headers: {} },
    { status: 200, headers: { "cache-control": directives, age } },
    { shared: false },
  );
  // Headers count whole seconds; the library takes off the milliseconds that pass while it reads them.
  const leftMs = Math.ceil(policy.timeToLive() / 1_000) * 1_000;
  return now + Math.min(Math.max(leftMs, 0), LONGEST_MS);
}

/** What makes the next request conditional. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The address that answered, after redirects: its tags mean nothing to another. */
  readonly answeredBy: string | null;
}

/** A validator longer than this is no validator (RFC 9110 names no limit). */
const LONGEST_VALIDATOR = 512;

/** @param redact takes secrets out of a text: validators that hold one are none, since they are kept with the picture */
export function validatorsOf(
  headers: IncomingHttpHeaders,
  url: URL,
  redact: (text: string) => string,
): Validators {
  // What came in as a header goes out as one: only what undici would send.
  const printable = (name: string): string | null => {
    const value = headerOf(headers, name) ?? "";
    return value.length <= LONGEST_VALIDATOR && /^[\x20-\x7e]+$/.test(value) ? value : null;
  };
  const [etag, lastModified] = [printable("etag"), printable("last-modified")];
  return [etag, lastModified, url.href].every((text) => text === null || redact(text) === text)
    ? { etag, lastModified, answeredBy: url.href }
    : { etag: null, lastModified: null, answeredBy: null };
}

/** Headers that ask "only if changed"; none for an address the validators do not belong to. */
export function conditions(validators: Validators | null, url: URL): Record<string, string> {
  if (validators?.answeredBy !== url.href) return {};
  const { etag, lastModified } = validators;
  return {
    ...(etag !== null && { "if-none-match": etag }),
    ...(lastModified !== null && { "if-modified-since": lastModified }),
  };
}

/**
 * Reads a body to its end, or refuses it at the first byte too many.
 *
 * @param declared the `Content-Length`, where there is one: a body that admits to be too large is not begun
 * @throws {PictureFailed} `too-many-bytes`; the connection is given up, since its rest is not wanted
 */
export async function readBody(body: Readable, declared: string | null, maxBytes: number) {
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
