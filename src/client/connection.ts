/** The options of a client, the limits it keeps, and the connections to one origin. */
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import type { ReportHarvest } from "../contract/harvest-result.ts";
import type { Ledger } from "../contract/ledger.ts";
import { cleanerFor, type Cleaner } from "./cleaner.ts";

export const USER_AGENT = "commonplace/0.1 (static site generator; nightly harvest)";

/** Limits of one attempt (docs/walk.md, section 8). Idle limits alone let a dripping server hold us for ever. */
export const LIMITS = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyIdleMs: 10_000,
  totalMs: 60_000,
  /** As it is sent, and after decompression. */
  maxBytes: 8 * 1024 * 1024,
  /** What is read of a body that is of no use, to keep the connection. */
  dumpBytes: 65_536,
};

export type Limits = Readonly<typeof LIMITS>;

/** Time and chance, so that a test can do without waiting for either. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The real clock, real chance and real sleep. */
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
  /** The service's address, without a slash at the end. */
  readonly baseUrl: string;
  /** Goes out with every request behind `tokenScheme`, and comes back with no answer; null for none. */
  readonly token: string | null;
  readonly tokenScheme: string;
  /** Connections kept open. */
  readonly concurrency: number;
  /** Hard ceiling on everything sent to the host in a session; null for none. */
  readonly maxRequests: number | null;
  readonly maxWaitMs: number;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly report: ReportHarvest;
  readonly runtime: Runtime;
  readonly limits?: Limits;
}

export interface Connection {
  readonly origin: URL;
  /** Leads nowhere else, so neither a redirect nor a `next` can carry a credential away. */
  readonly pool: Pool;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly now: () => number;
  readonly clean: Cleaner;
}

export function connect({ baseUrl, token, tokenScheme, ...options }: ClientOptions): Connection {
  const origin = new URL(baseUrl);
  const limits = options.limits ?? LIMITS;
  return {
    origin,
    limits,
    now: options.runtime.now,
    clean: cleanerFor(token),
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
