/**
 * The second half of the guard: connections that are made only to addresses judged a moment before.
 *
 * The check sits in the look-up of the connection itself, so a name cannot resolve to one address when it is judged and
 * to another when it is used. undici does not call `lookup` for literals: they are judged here once more.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { forbiddenKind } from "./ranges.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Gives every address of a name. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** A connection that was not made because of where it would have gone. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

export interface Agents {
  /** For any host of the world. */
  readonly guarded: Agent;
  /** For our own origin alone: it connects to whatever it is told. */
  readonly own: Agent;
  close(): Promise<void>;
}

/** Connections to one origin at a time: a host of pictures is a guest's host. */
const CONNECTIONS = 4;

const CONNECT_TIMEOUT_MS = 5_000;

/** Says what is wrong with an IP address; null when it may be connected to. */
export type Judge = (ip: string) => string | null;

export function openAgents(
  resolve: Resolver = resolveBySystem,
  judge: Judge = forbiddenKind,
): Agents {
  const settings = { connections: CONNECTIONS, pipelining: 1, maxHeaderSize: 16_384 };
  const guarded = new Agent({ ...settings, connect: guardedConnector(resolve, judge) });
  const own = new Agent({
    ...settings,
    connect: { timeout: CONNECT_TIMEOUT_MS, allowH2: false },
  });
  return {
    guarded,
    own,
    async close() {
      await Promise.all([guarded.destroy(), own.destroy()]);
    },
  };
}

async function resolveBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  return systemLookup(hostname, { all: true });
}

function guardedConnector(resolve: Resolver, judge: Judge): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: checkedLookup(resolve, judge),
  });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, "");
    const kind = isIP(literal) === 0 ? null : judge(literal);
    if (kind !== null) {
      callback(new ForbiddenAddress(`${literal} is ${kind}`), null);
      return;
    }
    connect(options, callback);
  };
}

/** One forbidden address among several condemns the name: a public host has no business in our network. */
function checkedLookup(resolve: Resolver, judge: Judge): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const kind = addresses.map(({ address }) => judge(address)).find((found) => found !== null);
        if (kind !== undefined) {
          callback(new ForbiddenAddress(`${hostname} resolves to a ${kind} address`), "", 0);
        } else if (first === undefined) {
          const nothing = new Error(`Cannot resolve ${hostname}: no address`);
          callback(Object.assign(nothing, { code: "ENOTFOUND" }), "", 0);
        } else if (options.all === true) {
          callback(null, [...addresses]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), "", 0);
      },
    );
  };
}
