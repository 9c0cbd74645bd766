/** Groups IP addresses into networks, for quotas and connection limits, and recognises loopback names. */
import ipaddr from "ipaddr.js";

/**
 * Returns the network of one subscriber, an IPv4 address or the /64 of an IPv6 address; and the network of a site, which
 * one person can easily rent: a /24 or a /48.
 *
 * @param address IPv4 mapped into IPv6 counts as IPv4; other text is returned unchanged
 */
export function networksOf(address: string): {
  readonly subscriber: string;
  readonly site: string;
} {
  const ip = parseIp(address);
  if (ip === null) return { subscriber: address, site: address };
  const bytes = ip.toByteArray();
  const prefix = (length: number): string => `${bytes.slice(0, length / 8).join(".")}/${length}`;
  return ip.kind() === "ipv4"
    ? { subscriber: prefix(32), site: prefix(24) }
    : { subscriber: prefix(64), site: prefix(48) };
}

/** An address, an address with a port, an address in brackets, or both. */
const FORWARDED = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/;

/**
 * Reads the address of a client behind trusted proxies. Each proxy appends the address that it saw to `X-Forwarded-For`;
 * the client may have written the entries before.
 *
 * @param peer address of the connection
 * @param forwarded value of `X-Forwarded-For`; null where it is absent
 * @param proxies number of trusted proxies, each of which wrote one of the last entries
 * @returns `peer` where the entry is missing or not an address
 */
export function clientAddress(peer: string, forwarded: string | null, proxies: number): string {
  if (proxies === 0 || forwarded === null) return peer;
  const entry = forwarded.split(",").at(-proxies)?.trim() ?? "";
  const [, bracketed, plain] = FORWARDED.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry;
  return parseIp(address) === null ? peer : address;
}

function parseIp(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // What follows "%" is a zone: an interface of this machine.
  const [ip = ""] = address.split("%", 1);
  const valid = ipaddr.IPv4.isValidFourPartDecimal(ip) || ipaddr.IPv6.isValid(ip);
  return valid ? ipaddr.process(ip) : null;
}

/** Writes a host as in a URL: in lower case, an IPv6 address in brackets, other letters in Punycode. */
export function urlHostname(host: string): string {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return URL.parse(`http://${name}`)?.hostname ?? host;
}

/** Whether a host name, as in a URL, means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
