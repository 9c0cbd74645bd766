/**
 * Remembers which address voted for which quote, so that a vote is forwarded once a day and not once a minute.
 *
 * No address is stored: a keyed digest of address, operation and quote sets four bits of a fixed number. After a day the bits
 * are put away, and after two forgotten, so a vote is known for at least a day and at most two.
 */
import type { VoteOperation } from "../client/service-api.ts";
import { networksOf } from "../util/network.ts";

const DAY_MS = 86_400_000;

/** Of 16,777,216 bits a hundred thousand votes set 2 %: one new vote in three million is then taken for a repeated one. */
const BITS = 24;

/** Four words of a digest, each the place of a bit. */
export type CastVote = readonly number[];

/** @param now clock, in milliseconds since the epoch */
export function createCastVotes(now: () => number) {
  /** Generated at the first vote: edge hosts have no random numbers before it. */
  let key: Promise<CryptoKey> | undefined;
  let today = new Uint8Array(0);
  let yesterday = new Uint8Array(0);
  let since = 0;

  function turn(): void {
    const days = Math.floor((now() - since) / DAY_MS);
    if (days < 1) return;
    yesterday = days === 1 ? today : new Uint8Array(0);
    today = new Uint8Array(1 << (BITS - 3));
    since = days === 1 ? since + DAY_MS : now();
  }

  const hasAll = (bits: Uint8Array, vote: CastVote): boolean =>
    vote.every((bit) => ((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);

  return {
    /** An IPv6 address counts as its /64. */
    async voteOf(address: string, operation: VoteOperation, pk: number): Promise<CastVote> {
      key ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      const { subscriber } = networksOf(address);
      const bytes = new TextEncoder().encode(`${operation} ${pk} ${subscriber}`);
      const words = new DataView(await crypto.subtle.sign("HMAC", await key, bytes));
      return [0, 4, 8, 12].map((at) => words.getUint32(at) >>> (32 - BITS));
    },

    has(vote: CastVote): boolean {
      turn();
      return hasAll(today, vote) || hasAll(yesterday, vote);
    },

    add(vote: CastVote): void {
      turn();
      for (const bit of vote) today[bit >>> 3] = (today[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
  };
}
