/**
 * Reads an IP address into bytes, and takes an IPv4 address out of the IPv6 forms that carry one.
 *
 * `::ffff:7f00:1`, `64:ff9b::127.0.0.1` and `127.0.0.1` reach the same machine, so they must be judged as one.
 */
import { isIP } from "node:net";

/**
 * @param text an address as `URL.hostname`, a resolver or a socket writes it: brackets and a zone (`%eth0`) are allowed
 * @returns 4 or 16 bytes; null when the text is no IP address
 */
export function bytesOfIp(text: string): Uint8Array | null {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const version = isIP(bare);
  if (version === 4) return Uint8Array.from(bare.split("."), Number);
  return version === 6 ? bytesOfIpv6(bare) : null;
}

function bytesOfIpv6(text: string): Uint8Array {
  const hex = text.replace(/[^:]+\.[^:]+$/, (tail) => {
    const [a = 0, b = 0, c = 0, d = 0] = tail.split(".").map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = "", tail = ""] = hex.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Prefixes of 96 bits before an IPv4 address that a host or its network really delivers to that address. */
const CARRIERS = [
  // IPv4-mapped (RFC 4291, section 2.5.5.2): the system's own sockets use it.
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  // NAT64 (RFC 6052): what names resolve to on a network without IPv4.
  [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
];

/** The IPv4 address that an IPv6 address stands for; any other address as it is. */
export function unwrapIp(address: Uint8Array): Uint8Array {
  const carried =
    address.length === 16 &&
    CARRIERS.some((prefix) => prefix.every((byte, at) => address[at] === byte));
  return carried ? address.subarray(12) : address;
}

/** Whether the first `bits` bits of two addresses of one length agree. */
export function sharesPrefix(address: Uint8Array, prefix: Uint8Array, bits: number): boolean {
  if (address.length !== prefix.length) return false;
  for (let at = 0; at * 8 < bits; at++) {
    const mask = (0xff << Math.max(0, 8 - (bits - at * 8))) & 0xff;
    if (((address[at] ?? 0) & mask) !== ((prefix[at] ?? 0) & mask)) return false;
  }
  return true;
}
