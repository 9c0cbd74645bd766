/**
 * The guard of pictures: a quote's picture must not make this machine ask itself or its surroundings for anything.
 *
 * First an address is judged by what it says (`URL` has already turned `0x7f.1`, `2130706433` and `１２７.０.０.１` into
 * 127.0.0.1), then every IP address that its name resolves to, in the look-up of the connection itself: a name cannot
 * resolve to one address when it is judged and to another when it is used. undici does not call `lookup` for literals:
 * they are judged once more.
 */
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector } from "undici";
import { PictureFailed } from "./failures.ts";

export interface GuardPolicy {
  /** Origin of the quotes service, such as `http://127.0.0.1:8080`: allowed wherever it lives. Null for none. */
  readonly ownOrigin: string | null;
  /** Ports that may be asked for; the ports of the web alone reach no database or printer. */
  readonly ports: readonly number[];
}

/** The ports of http and https. */
export const WEB_PORTS: readonly number[] = [80, 443];

/** Names that mean this machine or its surroundings (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|arpa|onion|alt)$/;

/**
 * Decides whether an address may be asked for at all.
 *
 * @param text the address as a quote or a `Location` gives it
 * @param base the address that redirected here; null for the first
 * @param stayedOwn whether every hop so far was on our own origin: once left, it cannot be come back to, so that no
 *   other host can send us to the service
 * @returns the address, and whether it is of our own origin
 * @throws {PictureFailed} `not-an-address` or `forbidden-address`
 */
export function admit(text: string, base: URL | null, stayedOwn: boolean, policy: GuardPolicy) {
  const url = URL.parse(text, base ?? undefined);
  if (url === null) throw new PictureFailed("not-an-address", "it cannot be read");
  const own = stayedOwn && policy.ownOrigin !== null && url.origin === policy.ownOrigin;
  const detail = refusal(url, own, policy);
  if (detail !== null) throw new PictureFailed("forbidden-address", detail);
  url.hash = "";
  return { url, own };
}

function refusal(url: URL, own: boolean, policy: GuardPolicy): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return `${url.protocol.slice(0, 20)} is not http or https`;
  }
  if (url.username + url.password !== "") return "it carries credentials";
  if (own) return null;
  const port = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port);
  if (!policy.ports.includes(port)) return `port ${port} is not of the web`;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  if (isIP(host) !== 0) {
    const kind = forbiddenKind(host);
    return kind === null ? null : `${host} is ${kind}`;
  }
  if (!host.includes(".") || LOCAL_NAME.test(host)) return "its name is a local one";
  return null;
}

/** Gives every address of a name. */
export type Resolver = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Connections to one origin at a time: hosts of pictures owe this program nothing. */
const CONNECTIONS = 4;

/** Says what is wrong with an IP address; null when it may be connected to. */
export type Judge = (ip: string) => string | null;

/** Opens connections: `guarded` to any host of the world, `own`, to our own origin alone, wherever that is. */
export function openAgents(
  resolve: Resolver = (hostname) => lookup(hostname, { all: true }),
  judge: Judge = forbiddenKind,
) {
  const settings = { connections: CONNECTIONS, pipelining: 1, maxHeaderSize: 16_384 };
  // Of a name, every address is looked up.
  const connecting = { timeout: 5_000, allowH2: false, autoSelectFamily: true };
  const connect = buildConnector({ ...connecting, lookup: checkedLookup(resolve, judge) });
  const guarded = new Agent({
    ...settings,
    connect(options, callback) {
      const literal = options.hostname.replace(/^\[|\]$/g, "");
      const kind = isIP(literal) === 0 ? null : judge(literal);
      if (kind === null) connect(options, callback);
      else callback(new PictureFailed("forbidden-address", `${literal} is ${kind}`), null);
    },
  });
  const own = new Agent({ ...settings, connect: connecting });
  const close = async (): Promise<void> => {
    await Promise.all([guarded.destroy(), own.destroy()]);
  };
  return { guarded, own, close };
}

/** A look-up that fails with `PictureFailed` where the name leads to an address that is forbidden. */
function checkedLookup(resolve: Resolver, judge: Judge): LookupFunction {
  const find = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) {
      const nothing = new Error(`Cannot resolve ${hostname}: no address`);
      throw Object.assign(nothing, { code: "ENOTFOUND" });
    }
    // One forbidden address among several condemns the name: a public host has no business in our network.
    for (const { address } of addresses) {
      const kind = judge(address);
      if (kind !== null)
        throw new PictureFailed("forbidden-address", `${hostname} resolves to a ${kind} address`);
    }
    return [...addresses];
  });
  return (hostname, _options, callback) => find(hostname, callback);
}

/** A public address that answers only inside of Azure's machines, with their secrets. */
const AZURE_PLATFORM = "168.63.129.16";

/** All that is public of IPv6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Where a network without IPv4 reaches an IPv4 address: its last 32 bits (NAT64, RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Why an IP address must not be connected to: all but public unicast is forbidden. Sockets and gateways deliver some
 * IPv6 forms to the IPv4 address within them, so that one is judged.
 *
 * @param ip an address as a resolver or a socket writes it, without brackets; a zone (`%eth0`) is allowed
 * @returns the kind of address, such as `loopback`; null when it is public
 * @see the IANA special-purpose address registries (RFC 6890)
 */
export function forbiddenKind(ip: string): string | null {
  // "127.1" is an address to the library, and to no resolver that this program asks.
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return "not an address";
  let address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv6 && address.match(NAT64)) {
    address = ipaddr.fromByteArray(address.toByteArray().slice(12));
  }
  if (address.range() !== "unicast") return address.range();
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST) ? null : "not public";
  return address.toString() === AZURE_PLATFORM ? "platform" : null;
}
