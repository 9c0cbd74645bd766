/**
 * The addresses that a picture must not come from: everything that is not plain public unicast.
 *
 * IPv6 works the other way round: only 2000::/3 is public, and the ranges set aside within it are listed.
 *
 * @see the IANA special-purpose address registries (RFC 6890)
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const FORBIDDEN = (
  [
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
    // Includes 255.255.255.255.
    ["240.0.0.0/4", "reserved"],
    // Includes Teredo.
    ["2001::/23", "protocol assignments"],
    ["2001:db8::/32", "documentation"],
    ["2002::/16", "6to4"],
    ["2620:4f:8000::/48", "reserved"],
    ["3fff::/20", "documentation"],
  ] as const
).map(([range, kind]) => ({ range: ipaddr.parseCIDR(range), kind }));

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Where a network without IPv4 reaches an IPv4 address: its last 32 bits (NAT64, RFC 6052). */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/**
 * Why an IP address must not be connected to.
 *
 * @param ip an address as `URL.hostname`, a resolver or a socket writes it: brackets and a zone (`%eth0`) are allowed
 * @returns the kind of address, such as `loopback`; null when it is public
 */
export function forbiddenKind(ip: string): string | null {
  const bare = ip.replace(/^\[|\]$/g, "");
  // "127.1" is an address to the library, and to no resolver that this program asks.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) {
    return "not an address";
  }
  const address = embeddedIpv4(ipaddr.process(bare));
  const listed = FORBIDDEN.find(({ range }) => isIn(address, range));
  if (listed !== undefined) return listed.kind;
  return address.kind() === "ipv4" || isIn(address, GLOBAL_UNICAST) ? null : "not public";
}

/** Sockets and gateways deliver these IPv6 forms to the IPv4 address within them: both are judged as one. */
function embeddedIpv4(address: Address): Address {
  return isIn(address, NAT64) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

function isIn(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
