/**
 * How often one address and everybody together may be passed on.
 *
 * Addresses are never kept: a keyed digest puts each into one of many buckets, so that a flood of addresses cannot make
 * what is kept grow without end. Who meets another in a bucket shares a quota: with a thousand at once, one in 130.
 */
// Not the package's index: that loads a dozen stores, and Node's own modules with them.
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";

export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

const EVERYBODY = "everybody";

/** All of them in use take about 120 MB. */
const BUCKET_BITS = 17;

export class Limits {
  private readonly byAddress: RateLimiterMemory;
  private readonly total: RateLimiterMemory;
  /** Made when first needed: edge hosts give no random numbers before there is a request. */
  private key: Promise<CryptoKey> | undefined;

  constructor(perAddress: Rate, total: Rate) {
    this.byAddress = new RateLimiterMemory({
      points: perAddress.requests,
      duration: perAddress.seconds,
    });
    this.total = new RateLimiterMemory({ points: total.requests, duration: total.seconds });
  }

  /** @returns milliseconds to wait; 0 to go on */
  async address(address: string): Promise<number> {
    this.key ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const bytes = new TextEncoder().encode(address);
    const digest = await crypto.subtle.sign("HMAC", await this.key, bytes);
    const bucket = new DataView(digest).getUint32(0) >>> (32 - BUCKET_BITS);
    return waitFor(this.byAddress, String(bucket));
  }

  /** @returns milliseconds to wait; 0 to go on */
  everybody(): Promise<number> {
    return waitFor(this.total, EVERYBODY);
  }
}

async function waitFor(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext);
    throw refused;
  }
}
