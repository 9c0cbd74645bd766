/**
 * What a request must be like, from a page of the site and one field of a form; and how often an address, a network and
 * all readers together may be passed on.
 */
import { MAX_PK } from "../contract/quote.ts";
import { networksOf } from "../contract/network.ts";
import { Limiter, type Rate } from "../contract/rate.ts";

/** `pk=` and sixteen digits are 19 bytes; the rest is room for fields that others add. */
const MAX_BODY_BYTES = 256;

export type PkRead = { readonly pk: number } | { readonly status: 400 | 411 | 413 | 415 };

export async function readPk(request: Request): Promise<PkRead> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return { status: 415 };
  // Browsers always give it, and HTTP parsers hold the body to it: nothing larger is ever read.
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
 * Whether a request comes from a page of the site and, where the browser can tell, from a person's act.
 *
 * This keeps other sites' pages out. A program can claim any origin: against those there are the limits.
 *
 * @param site origin of the site
 * @see Fetch Metadata Request Headers, W3C
 */
export function admitted(headers: Headers, site: string): boolean {
  if (headers.get("Origin") !== site) return false;
  const from = headers.get("Sec-Fetch-Site");
  // Browsers of before 2023 say nothing of this; their Origin is true all the same.
  if (from === null) return true;
  if (from === "none") return false;
  const mode = headers.get("Sec-Fetch-Mode");
  const target = headers.get("Sec-Fetch-Dest");
  if (mode === "cors") return target === "empty";
  // A form without JavaScript: in a window of its own, after a click.
  return mode === "navigate" && target === "document" && headers.get("Sec-Fetch-User") === "?1";
}

/** All of a limiter's buckets in use take about 60 MB. */
const BUCKET_BITS = 16;

/** The share of the total that one network may draw. */
const NETWORK_SHARE = 0.1;

/**
 * Limits an address, its network and all readers together; a limit counts the request and gives milliseconds to wait, 0 to go on.
 *
 * Addresses are never kept: a keyed digest puts each into one of many buckets, so that a flood of addresses cannot make
 * what is kept grow without end. Addresses in one bucket share a quota: with a thousand at once, one in 65.
 */
export function createLimits(perAddress: Rate, total: Rate) {
  const ofNetwork = Math.max(1, Math.floor(total.requests * NETWORK_SHARE));
  const addresses = new Limiter(perAddress);
  const networks = new Limiter({ ...total, requests: ofNetwork });
  const all = new Limiter(total);
  /** Made when first needed: edge hosts give no random numbers before there is a request. */
  let key: Promise<CryptoKey> | undefined;

  async function bucketOf(network: string): Promise<string> {
    key ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const bytes = new TextEncoder().encode(network);
    const digest = await crypto.subtle.sign("HMAC", await key, bytes);
    return String(new DataView(digest).getUint32(0) >>> (32 - BUCKET_BITS));
  }

  return {
    /** For each request. */
    ask: async (address: string): Promise<number> =>
      addresses.waitMs(await bucketOf(networksOf(address).subscriber)),

    /** For a request that is about to be passed on: a network that has drawn its share takes nothing from the others. */
    passOn: async (address: string): Promise<number> =>
      (await networks.waitMs(await bucketOf(networksOf(address).site))) || all.waitMs("total"),
  };
}
