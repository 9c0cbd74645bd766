/** Options of a client, limits of its requests, and its connections to one origin. */
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import type { ReportHarvest } from "../contract/results.ts";
import type { Ledger } from "../contract/ledger.ts";
import { SecretFinder } from "../util/secrets.ts";
import { VERSION } from "../util/version.ts";

const USER_AGENT = `commonplace/${VERSION} (static site generator; nightly harvest)`;

/** Limits of one attempt. Only `totalMs` ends a body that arrives byte by byte. */
export const LIMITS = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyIdleMs: 10_000,
  totalMs: 60_000,
  /** Bytes of a body, both compressed and decompressed. */
  maxBytes: 8 * 1024 * 1024,
  /** Bytes that are read of an unwanted body, so that the connection can be reused. */
  dumpBytes: 65_536,
};

export type Limits = Readonly<typeof LIMITS>;

/** Clock, randomness and sleep: tests replace them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const RUNTIME: Runtime = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    delay(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    }),
};

export interface ClientOptions {
  /** Address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** Sent with every request, after `tokenScheme`, and removed from every answer; null for none. */
  readonly token: string | null;
  readonly tokenScheme: string;
  /** Connections kept open. */
  readonly concurrency: number;
  /** Hard limit on all requests to the host in a session; null for none. */
  readonly maxRequests: number | null;
  readonly maxWaitMs: number;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly report: ReportHarvest;
  readonly runtime: Runtime;
  readonly limits?: Limits;
}

export type Connection = ReturnType<typeof connect>;

export function connect({ baseUrl, token, tokenScheme, ...options }: ClientOptions) {
  const origin = new URL(baseUrl);
  const limits = options.limits ?? LIMITS;
  const finder = new SecretFinder(token === null ? [] : [{ name: "the token", value: token }]);
  return {
    origin,
    limits,
    now: options.runtime.now,
    /**
     * Removes the credential from what a service sends: it may echo it in an error, a link or a record, in any encoding.
     *
     * The raw body is cleaned before any part is cut out of it, and the decoded values once more: escapes in JSON can hide
     * the credential until they are decoded.
     */
    clean: <T>(value: T): T => finder.redact(value),
    /** Removes the credential from a message, also one that is too short for `clean`. */
    redact: (message: string): string =>
      token === null ? message : finder.redact(message).replaceAll(token, "…"),
    /** Connects only to `origin`, so that neither a redirect nor a `next` can send the credential elsewhere. */
    pool: new Pool(origin.origin, {
      connections: options.concurrency,
      pipelining: 1,
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.bodyIdleMs,
      maxResponseSize: limits.maxBytes,
    }),
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip, br",
      "user-agent": USER_AGENT,
      ...(token === null ? {} : { authorization: `${tokenScheme} ${token}` }),
    },
  };
}
