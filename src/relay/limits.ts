/**
 * How often an address, a network and all readers together may be passed on.
 *
 * Addresses are never kept: a keyed digest puts each into one of many buckets, so that a flood of addresses cannot make
 * what is kept grow without end. Addresses in one bucket share a quota: with a thousand at once, one in 65.
 */
import { networksOf } from "../contract/network.ts";
import { Limiter, type Rate } from "../contract/rate.ts";

/** All of a limiter's buckets in use take about 60 MB. */
const BUCKET_BITS = 16;

/** The share of the total that one network may draw. */
const NETWORK_SHARE = 0.1;

export class Limits {
  readonly #perAddress: Limiter;
  readonly #perNetwork: Limiter;
  readonly #total: Limiter;
  /** Made when first needed: edge hosts give no random numbers before there is a request. */
  #key: Promise<CryptoKey> | undefined;

  constructor(perAddress: Rate, total: Rate) {
    const ofNetwork = Math.max(1, Math.floor(total.requests * NETWORK_SHARE));
    this.#perAddress = new Limiter(perAddress);
    this.#perNetwork = new Limiter({ ...total, requests: ofNetwork });
    this.#total = new Limiter(total);
  }

  /** Counts a request. @returns milliseconds to wait; 0 to go on */
  async ask(address: string): Promise<number> {
    return this.#perAddress.waitMs(await this.#bucketOf(networksOf(address).subscriber));
  }

  /** Counts a request that is about to be passed on. @returns milliseconds to wait; 0 to go on */
  async passOn(address: string): Promise<number> {
    const bucket = await this.#bucketOf(networksOf(address).site);
    // In this order: a network that has drawn its share takes nothing from the others.
    return (await this.#perNetwork.waitMs(bucket)) || this.#total.waitMs("total");
  }

  async #bucketOf(network: string): Promise<string> {
    this.#key ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const bytes = new TextEncoder().encode(network);
    const digest = await crypto.subtle.sign("HMAC", await this.#key, bytes);
    return String(new DataView(digest).getUint32(0) >>> (32 - BUCKET_BITS));
  }
}
