/**
 * Remembers, for one run, which hosts are in trouble: nobody waits ten seconds for each of a thousand pictures of a
 * host that is down, and nobody goes on asking one that said 429.
 */
import type { FailureReason } from "../failures.ts";

/** Failures in a row after which a host is left alone. */
const PATIENCE = 5;

/** Failures that speak of the host and not of the picture. */
const OF_THE_HOST: ReadonlySet<FailureReason> = new Set([
  "host-failed",
  "unreachable",
  "too-slow",
] as const);

export class Origins {
  readonly #failures = new Map<string, number>();

  /** Whether an origin may still be asked in this run. */
  mayAsk(origin: string): boolean {
    return (this.#failures.get(origin) ?? 0) < PATIENCE;
  }

  /** @param reason null when the origin answered, whatever the answer */
  note(origin: string, reason: FailureReason | null): void {
    if (reason === "throttled") this.#failures.set(origin, Infinity);
    else if (reason !== null && OF_THE_HOST.has(reason)) {
      this.#failures.set(origin, (this.#failures.get(origin) ?? 0) + 1);
    } else if (this.mayAsk(origin)) this.#failures.delete(origin);
  }
}
