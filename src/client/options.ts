/** What a client is told, and the limits it keeps when it is not told otherwise. */
import { setTimeout as delay } from "node:timers/promises";
import type { HarvestEvent } from "../contract/harvest-result.ts";
import type { Ledger } from "../contract/ledger.ts";

/** Limits of one attempt (docs/walk.md, section 8). Idle limits alone let a dripping server hold us for ever. */
export const LIMITS = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyIdleMs: 10_000,
  totalMs: 60_000,
  /** Counted after decompression. */
  maxBytes: 8 * 1024 * 1024,
};

export type Limits = Readonly<typeof LIMITS>;

/** Time and chance, so that a test can do without waiting for either. */
export interface World {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The real clock, real chance and real sleep. */
export const WORLD: World = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

export interface ClientOptions {
  /** The service's address, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string | null;
  readonly tokenScheme: string;
  /** Connections kept open. */
  readonly concurrency: number;
  /** Hard ceiling on everything sent to the host in a session; null for none. */
  readonly maxRequests: number | null;
  readonly maxWaitMs: number;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly report: (event: HarvestEvent) => void;
  readonly world?: World;
  readonly limits?: Limits;
}
