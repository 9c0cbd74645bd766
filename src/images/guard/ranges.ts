/**
 * The addresses that no picture may come from: everything that is not plain public unicast.
 *
 * IPv6 is judged the other way round: only 2000::/3 is public, and what it sets aside is listed.
 *
 * @see the IANA special-purpose address registries (RFC 6890)
 */
import { bytesOfIp, sharesPrefix, unwrapIp } from "./ip.ts";

interface Range {
  readonly prefix: Uint8Array;
  readonly bits: number;
  readonly kind: string;
}

const FORBIDDEN: readonly Range[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared by a carrier"],
  ["127.0.0.0/8", "loopback"],
  // A public address that answers only inside of Azure's machines, with their secrets.
  ["168.63.129.16/32", "platform"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "reserved"],
  ["192.52.193.0/24", "reserved"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "reserved"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  // 255.255.255.255 is in it.
  ["240.0.0.0/4", "reserved"],
  // Teredo is in it.
  ["2001::/23", "protocol assignments"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "reserved"],
  ["3fff::/20", "documentation"],
].map(([cidr = "", kind = ""]) => range(cidr, kind));

const GLOBAL_UNICAST = range("2000::/3", "public");

function range(cidr: string, kind: string): Range {
  const [address = "", bits] = cidr.split("/");
  const prefix = bytesOfIp(address);
  if (prefix === null) throw new TypeError(`Cannot read range ${cidr}: not an address`);
  return { prefix, bits: Number(bits), kind };
}

/**
 * Why an IP address is out of bounds.
 *
 * @param ip as in `bytesOfIp`; text that is no address is out of bounds too
 * @returns the kind of address, such as `loopback`; null when it is public
 */
export function forbiddenKind(ip: string): string | null {
  const bytes = bytesOfIp(ip);
  if (bytes === null) return "not an address";
  const address = unwrapIp(bytes);
  const listed = FORBIDDEN.find(({ prefix, bits }) => sharesPrefix(address, prefix, bits));
  if (listed !== undefined) return listed.kind;
  if (address.length === 4 || sharesPrefix(address, GLOBAL_UNICAST.prefix, GLOBAL_UNICAST.bits)) {
    return null;
  }
  return "not public";
}
