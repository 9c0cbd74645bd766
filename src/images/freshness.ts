/** How long an answer may be used without asking again (RFC 9111), cut to what a nightly build needs. */
import CachePolicy from "http-cache-semantics";
import type { IncomingHttpHeaders } from "undici/types/header.js";

/** What makes the next request conditional. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The address that answered, after redirects: its tags mean nothing to another. */
  readonly from: string;
}

/** A host that says "a year" may still be wrong. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/** A validator longer than this is no validator (RFC 9110 names no limit). */
const LONGEST_VALIDATOR = 512;

/**
 * @param now milliseconds since the epoch
 * @returns until when the answer may be used unasked, in milliseconds since the epoch; `now` without a promise
 */
export function freshUntil(headers: IncomingHttpHeaders, now: number): number {
  // Names of directives may be in capitals (RFC 9111, section 5.2); the library knows small letters alone.
  const directives = (single(headers["cache-control"]) ?? "").toLowerCase();
  const age = single(headers.age) ?? "0";
  const policy = new CachePolicy(
    { headers: {} },
    { status: 200, headers: { "cache-control": directives, age } },
    { shared: false },
  );
  // Headers count whole seconds; the library takes off the milliseconds that pass while it reads them.
  const leftMs = Math.ceil(policy.timeToLive() / 1_000) * 1_000;
  return now + Math.min(Math.max(leftMs, 0), LONGEST_MS);
}

export function validatorsOf(headers: IncomingHttpHeaders, url: URL): Validators {
  return {
    etag: printable(single(headers.etag)),
    lastModified: printable(single(headers["last-modified"])),
    from: url.href,
  };
}

/** Headers that ask "only if changed"; none for an address the validators do not belong to. */
export function conditions(validators: Validators | null, url: URL): Record<string, string> {
  if (validators === null || validators.from !== url.href) return {};
  const { etag, lastModified } = validators;
  return {
    ...(etag === null ? {} : { "if-none-match": etag }),
    ...(lastModified === null ? {} : { "if-modified-since": lastModified }),
  };
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** What came in as a header goes out as one: only what undici would send. */
function printable(value: string | null): string | null {
  return value !== null && value.length <= LONGEST_VALIDATOR && /^[\x20-\x7e]+$/.test(value)
    ? value
    : null;
}
