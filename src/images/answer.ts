/** Reads the response to a request for a picture: freshness, validators for the next request, and the body. */
import type { Readable } from "node:stream";
import CachePolicy from "http-cache-semantics";
import type { IncomingHttpHeaders } from "undici/types/header.js";
import { PictureFailed } from "./failures.ts";

/** The value of a header, by its lower-case name; null when absent. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A longer freshness lifetime is cut to this: the host may be wrong. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/**
 * Until when a response is fresh (RFC 9111), in milliseconds since the epoch.
 *
 * @param now milliseconds since the epoch; the result for a response without a lifetime
 */
export function freshUntil(headers: IncomingHttpHeaders, now: number): number {
  // Directives are case-insensitive (RFC 9111, section 5.2); the library reads lower case only. They may have several lines.
  const directives = [headers["cache-control"] ?? ""].flat().join(",").toLowerCase();
  const age = headerOf(headers, "age") ?? "0";
  const vary = headerOf(headers, "vary") ?? "";
  const policy = new CachePolicy(
    { headers: {} },
    { status: 200, headers: { "cache-control": directives, age, vary } },
    // `immutable` says nothing about the lifetime (RFC 8246, section 2); the library would assume years.
    { shared: false, immutableMinTimeToLive: 0 },
  );
  // Headers count whole seconds; the library subtracts the milliseconds since it read them.
  const leftMs = Math.ceil(policy.timeToLive() / 1_000) * 1_000;
  return now + Math.min(Math.max(leftMs, 0), LONGEST_MS);
}

/** Make the next request conditional. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The address that sent the validators, after redirects: they are invalid for any other. */
  readonly answeredBy: string | null;
}

/** Longer validators are ignored (RFC 9110 has no limit). */
const LONGEST_VALIDATOR = 512;

/** @param redact removes secrets from a text: validators that contain one are ignored, since the cache stores them */
export function validatorsOf(
  headers: IncomingHttpHeaders,
  url: URL,
  redact: (text: string) => string,
): Validators {
  // Only characters that undici can send back in a header.
  const printable = (name: string): string | null => {
    const value = headerOf(headers, name) ?? "";
    return value.length <= LONGEST_VALIDATOR && /^[\x20-\x7e]+$/.test(value) ? value : null;
  };
  const [etag, lastModified] = [printable("etag"), printable("last-modified")];
  return [etag, lastModified, url.href].every((text) => text === null || redact(text) === text)
    ? { etag, lastModified, answeredBy: url.href }
    : { etag: null, lastModified: null, answeredBy: null };
}

/** Headers of a conditional request; none for an address that did not send the validators. */
export function conditions(validators: Validators | null, url: URL): Record<string, string> {
  if (validators?.answeredBy !== url.href) return {};
  const { etag, lastModified } = validators;
  return {
    ...(etag !== null && { "if-none-match": etag }),
    ...(lastModified !== null && { "if-modified-since": lastModified }),
  };
}

/**
 * Reads a body that has at most `maxBytes` bytes.
 *
 * @param declared value of `Content-Length`; null when absent
 * @throws {PictureFailed} `too-many-bytes`; the connection is closed
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

/** Destroys a body that is not needed, and ignores the error that follows. */
export function giveUp(body: Readable): void {
  body.on("error", () => undefined).destroy();
}
