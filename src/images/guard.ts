/**
 * Prevents server-side request forgery: the address of a picture must not make this machine send a request into its own network.
 *
 * The address itself is checked first (`URL` has turned `0x7f.1`, `2130706433` and `１２７.０.０.１` into 127.0.0.1). Then every
 * IP address is checked in the look-up of the connection, so that a name cannot resolve to another address after the check.
 * undici does not call `lookup` for an IP literal, so the connector checks that too.
 */
import type { LookupAddress } from "node:dns";
import * as dns from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from "undici";
import { NO_PROXIES, proxyOf, type Proxies } from "../http/proxy.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { PictureFailed } from "./failures.ts";

interface GuardPolicy {
  /** Origin of the quotes service, such as `http://127.0.0.1:8080`, allowed at any address; null for none. */
  readonly ownOrigin: string | null;
  /** Allowed ports, so that no request reaches a database or printer. */
  readonly ports: readonly number[];
}

export const WEB_PORTS: readonly number[] = [80, 443];

/** Names of this machine or its local network (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|arpa|onion|alt)$/;

/**
 * Checks the address of a picture or a redirect.
 *
 * @param text the address of a quote, or the value of `Location`
 * @param base the address that redirected; null for the first
 * @param stayedOwn whether all addresses so far had the service's origin: no other host may redirect to the service
 * @returns the address, and whether it has the service's origin
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

/** Resolves a name to all its addresses. */
export type Resolver = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Connections to one origin, few out of consideration for the host. */
const CONNECTIONS = 4;

/** Returns the kind of a forbidden IP address; null for an allowed one. */
export type Judge = (ip: string) => string | null;

/** Errors of a name that this machine cannot resolve: only the proxy may know it. */
const UNRESOLVED = ["ENOTFOUND", "EAI_AGAIN"];

/**
 * Opens connection pools: `guarded` for public hosts, `own` for the service's origin at any address.
 *
 * A proxy connects for us, so that the look-up of a connection sees the proxy and not the target: the target is then checked
 * before the request. A name that this machine cannot resolve is left to the proxy.
 */
export function openAgents(
  resolve: Resolver = (hostname) => dns.lookup(hostname, { all: true }),
  judge: Judge = forbiddenKind,
  proxies: Proxies = NO_PROXIES,
) {
  const settings = { connections: CONNECTIONS, pipelining: 1, maxHeaderSize: 16_384 };
  // `autoSelectFamily` makes the look-up return all addresses.
  const connecting = { timeout: 5_000, allowH2: false, autoSelectFamily: true };
  const resolveChecked = checkedResolver(resolve, judge);
  const find = callbackify(resolveChecked);
  const lookup: LookupFunction = (hostname, _options, callback) => find(hostname, callback);
  const connect = buildConnector({ ...connecting, lookup });
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
  const throughProxy = new Map<string, ProxyAgent>();
  /**
   * The pool for an address.
   *
   * @throws {PictureFailed} where a proxy would be sent to a forbidden address
   */
  const agentFor = async (url: URL, isOwn: boolean): Promise<Dispatcher> => {
    const proxy = proxyOf(url, proxies);
    if (proxy === null) return isOwn ? own : guarded;
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    if (!isOwn && isIP(literal) === 0) {
      await resolveChecked(url.hostname).catch((error: unknown) => {
        const code = error instanceof Error && "code" in error ? String(error.code) : "";
        if (!UNRESOLVED.includes(code)) throw error;
      });
    }
    const open = (): ProxyAgent =>
      new ProxyAgent({ ...settings, uri: proxy, proxyTunnel: false, connectTimeout: 5_000 });
    return getOrCompute(throughProxy, proxy, open);
  };
  const close = async (): Promise<void> => {
    await Promise.all([guarded, own, ...throughProxy.values()].map((pool) => pool.destroy()));
  };
  return { guarded, own, agentFor, close };
}

/** A resolver that fails with `PictureFailed` where the name has a forbidden address. */
function checkedResolver(resolve: Resolver, judge: Judge) {
  return async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) {
      const nothing = new Error(`Cannot resolve ${hostname}: no address`);
      throw Object.assign(nothing, { code: "ENOTFOUND" });
    }
    // One forbidden address is enough: a public host has no address in a private network.
    for (const { address } of addresses) {
      const kind = judge(address);
      if (kind !== null)
        throw new PictureFailed("forbidden-address", `${hostname} resolves to a ${kind} address`);
    }
    return [...addresses];
  };
}

/** A public address that only Azure's virtual machines reach, and that serves their secrets. */
const AZURE_PLATFORM = "168.63.129.16";

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** IPv6 addresses with an IPv4 address in their last 32 bits (NAT64, RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * The kind of an IP address that is not public unicast, such as `loopback`; null for a public one. Of an IPv6 address that
 * contains an IPv4 address, the latter counts: sockets and gateways connect to it.
 *
 * @param ip without brackets; a zone (`%eth0`) is allowed
 * @see the IANA special-purpose address registries (RFC 6890)
 */
export function forbiddenKind(ip: string): string | null {
  // The library also accepts "127.1", which no resolver returns.
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return "not an address";
  let address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv6 && address.match(NAT64)) {
    address = ipaddr.fromByteArray(address.toByteArray().slice(12));
  }
  if (address.range() !== "unicast") return address.range();
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST) ? null : "not public";
  return address.toString() === AZURE_PLATFORM ? "platform" : null;
}
