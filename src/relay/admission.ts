/**
 * Decides which requests the relay forwards: forms with one `pk`, from pages of the site, within the limits of an address,
 * of a network and of all readers together.
 */
import { MAX_PK } from "../contract/quote.ts";
import { networksOf } from "../util/network.ts";
import { Limiter, type Rate } from "../util/rate-limit.ts";

/** `pk=` and sixteen digits take 19 bytes; the rest is for fields that a page may add. */
const MAX_BODY_BYTES = 256;

export type PkRead = { readonly pk: number } | { readonly status: 400 | 411 | 413 | 415 };

export async function readPk(request: Request): Promise<PkRead> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return { status: 415 };
  // Browsers always send it, and HTTP parsers enforce it, so a larger body is never read.
  const length = request.headers.get("Content-Length");
  if (length === null) return { status: 411 };
  if (Number(length) > MAX_BODY_BYTES) return { status: 413 };
  const [text, ...others] = new URLSearchParams(await request.text()).getAll("pk");
  if (text === undefined || others.length > 0 || !/^[1-9]\d{0,15}$/.test(text)) {
    return { status: 400 };
  }
  const pk = Number(text);
  return pk <= MAX_PK ? { pk } : { status: 400 };
}

/**
 * Whether a request comes from a page of the site and, where the browser says so, from an action of a person.
 *
 * This excludes the pages of other sites. A program can claim any origin; the limits are for those.
 *
 * @param site origin of the site
 * @see Fetch Metadata Request Headers, W3C
 */
export function admitted(headers: Headers, site: string): boolean {
  if (headers.get("Origin") !== site) return false;
  const initiator = headers.get("Sec-Fetch-Site");
  // Browsers from before 2023 do not send it, but their `Origin` is reliable.
  if (initiator === null) return true;
  if (initiator === "none") return false;
  const mode = headers.get("Sec-Fetch-Mode");
  const destination = headers.get("Sec-Fetch-Dest");
  if (mode === "cors") return destination === "empty";
  // A form that is sent without JavaScript: a navigation of the whole window after a click.
  return (
    mode === "navigate" && destination === "document" && headers.get("Sec-Fetch-User") === "?1"
  );
}

/** A limiter with all of its buckets in use takes about 60 MB. */
const BUCKET_BITS = 16;

/** The share of the total that one network may use. */
const NETWORK_SHARE = 0.1;

/** Quotas of an address that its network may use, whose 65,536 addresses would fill all buckets else. */
const ADDRESSES_OF_NETWORK = 20;

/**
 * Limits an address, its network and all readers together. Each limit counts the request and returns the milliseconds to
 * wait; 0 where the request may continue.
 *
 * Addresses are never stored: a keyed digest maps each to one of many buckets, so a flood of addresses cannot fill the memory.
 * Addresses in one bucket share a quota: of a thousand at once, one in 65 does.
 */
export function createLimits(perAddress: Rate, total: Rate) {
  const perNetwork = Math.max(1, Math.floor(total.requests * NETWORK_SHARE));
  const addresses = new Limiter(perAddress);
  const neighbours = new Limiter({
    ...perAddress,
    requests: perAddress.requests * ADDRESSES_OF_NETWORK,
  });
  const networks = new Limiter({ ...total, requests: perNetwork });
  const allReaders = new Limiter(total);
  /** Generated at the first request: edge hosts have no random numbers before it. */
  let key: Promise<CryptoKey> | undefined;

  async function bucketOf(network: string): Promise<string> {
    key ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const bytes = new TextEncoder().encode(network);
    const digest = await crypto.subtle.sign("HMAC", await key, bytes);
    return String(new DataView(digest).getUint32(0) >>> (32 - BUCKET_BITS));
  }

  return {
    /** Called for each well-formed request. A network that used its share does not count in the buckets of addresses. */
    waitForAddressMs: async (address: string): Promise<number> => {
      const { site, subscriber } = networksOf(address);
      const waitMs = await neighbours.waitMs(await bucketOf(site));
      return waitMs || addresses.waitMs(await bucketOf(subscriber));
    },

    /** Called for a request that is about to be forwarded. A network without a share left does not use up the total. */
    waitForTotalMs: async (address: string): Promise<number> =>
      (await networks.waitMs(await bucketOf(networksOf(address).site))) ||
      allReaders.waitMs("total"),
  };
}
