/**
 * Connections to one origin, directly or through the proxy that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name.
 *
 * An address with https goes through a tunnel (CONNECT), so that the proxy sees neither path nor credential. One with http
 * is readable for the proxy: a credential is then refused. This machine is always reached directly.
 */
import type { LookupFunction } from "node:net";
import { Client, ProxyAgent, type Dispatcher } from "undici";
import { ConfigurationError } from "../contract/errors.ts";
import { isLoopbackName } from "../util/network.ts";

export interface Proxies {
  /** Address of the proxy for http; null for none. */
  readonly http: string | null;
  /** The same for https. */
  readonly https: string | null;
  /** `NO_PROXY`: names, also with a port or with a leading dot or `*.`, separated by commas or blanks; `*` for all. */
  readonly none: string;
}

export const NO_PROXIES: Proxies = { http: null, https: null, none: "" };

/** The proxy for an address; null where it is reached directly. */
export function proxyOf({ protocol, hostname, port }: URL, proxies: Proxies): string | null {
  const proxy = protocol === "https:" ? proxies.https : proxies.http;
  if (proxy === null || isLoopbackName(hostname)) return null;
  const name = hostname.toLowerCase();
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  const isExempt = proxies.none
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((rule) => rule !== "")
    .some((rule) => {
      if (rule === "*") return true;
      const [, host = rule, onPort] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
      const domain = host.replace(/^\*?\./, "");
      const isSame = name === domain || name === `[${rule}]` || name.endsWith(`.${domain}`);
      return isSame && (onPort === undefined || onPort === ownPort || name === `[${rule}]`);
    });
  return isExempt ? null : proxy;
}

/** An address of a proxy without name and password, for messages. */
function withoutCredential(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

/** This machine by either protocol: many machines name only one for `localhost`, and the service may listen on the other. */
const lookupLocal: LookupFunction = (_hostname, { all }, callback) => {
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  if (all === true) callback(null, addresses);
  else callback(null, "127.0.0.1", 4);
};

export interface ConnectLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyIdleMs: number;
  readonly maxBytes: number;
  readonly headerBytes: number;
}

/** Time for each address of a name before the next is tried too: Node's own 250 ms is too short for slow lines. */
const NEXT_ADDRESS_MS = 1_000;

/**
 * Returns a function that opens one connection to an origin at most.
 *
 * @param hasCredential whether requests carry a credential of the service
 * @throws {ConfigurationError} where a proxy could read it
 */
export function dispatcherFor(
  origin: URL,
  limits: ConnectLimits,
  proxies: Proxies,
  hasCredential: boolean,
): () => Dispatcher {
  const proxy = proxyOf(origin, proxies);
  const isLocal = /(?:^|\.)localhost$/.test(origin.hostname);
  const connect = { timeout: limits.connectMs, ...(isLocal ? { lookup: lookupLocal } : {}) };
  const options = {
    pipelining: 1,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyIdleMs,
    maxResponseSize: limits.maxBytes,
    maxHeaderSize: limits.headerBytes,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  if (proxy === null) return () => new Client(origin.origin, { ...options, connect });
  const isTunnel = origin.protocol === "https:";
  if (hasCredential && !isTunnel) {
    throw new ConfigurationError(
      `Cannot send the credential to ${origin.origin} through the proxy ${withoutCredential(proxy)}: plain http shows it to the proxy; use https, or add ${origin.hostname} to NO_PROXY`,
    );
  }
  return () =>
    new ProxyAgent({
      ...options,
      uri: proxy,
      connections: 1,
      proxyTunnel: isTunnel,
      connectTimeout: limits.connectMs,
    });
}
