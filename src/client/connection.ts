/** Options of a client, limits of its requests, and its connections to one origin. */
import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { ReportHarvest } from "../contract/results.ts";
import { PageFrame } from "../contract/frame.ts";
import type { Ledger } from "../contract/ledger.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { SecretFinder } from "../util/secrets.ts";
import { VERSION } from "../util/version.ts";
import { UnnamedCharset } from "./text.ts";
import { dispatcherFor, NO_PROXIES, proxyOf, type Proxies } from "../http/proxy.ts";

const USER_AGENT = `commonplace/${VERSION} (static site generator; nightly harvest)`;

/** Time limits of one attempt. Only `totalMs` ends a body that arrives byte by byte. */
const TIMEOUTS = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyIdleMs: 10_000,
  totalMs: 60_000,
};

export const LIMITS = {
  ...TIMEOUTS,
  /** Bytes of a body, both compressed and decompressed. */
  maxBytes: 8 * 1024 * 1024,
  /** Bytes that are read of an unwanted body, so that the connection can be reused. */
  dumpBytes: 65_536,
  headerBytes: 65_536,
};

/** How long a service may fail. */
export const PATIENCE = {
  /** Before the first good answer of a run. */
  firstMs: 120_000,
  /** The same, where the port refuses or the name is unknown: a typing error is told at once. */
  unreachableMs: 10_000,
  /** After it; waits that the service asks for do not count. */
  silenceMs: 300_000,
};

type PatienceLimits = Readonly<typeof PATIENCE>;

export type Limits = Readonly<typeof LIMITS>;

/** Clock, randomness and sleep: tests replace them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const RUNTIME: Runtime = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    delay(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    }),
};

export interface ClientOptions {
  /** Address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** Sent with every request, after `tokenScheme`, and removed from every answer; null for none. */
  readonly token: string | null;
  readonly tokenScheme: string;
  /** Connections kept open. */
  readonly concurrency: number;
  /** Hard limit on all requests to the host in a session; null for none. */
  readonly maxRequests: number | null;
  readonly maxWaitMs: number;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly report: ReportHarvest;
  readonly runtime: Runtime;
  readonly limits?: Limits;
  readonly timeouts?: Readonly<typeof TIMEOUTS>;
  readonly patience?: PatienceLimits;
  /** Whether what is published came from this address: then its refusal of a run is first taken for one of the moment. */
  readonly hasServed?: boolean;
  readonly proxies?: Proxies;
}

/** What a connection needs. */
export type ConnectOptions = Pick<
  ClientOptions,
  | "baseUrl"
  | "token"
  | "tokenScheme"
  | "concurrency"
  | "runtime"
  | "limits"
  | "timeouts"
  | "proxies"
>;

/** One connection. The client knows by it whether a reset met a connection that had answered before. */
export class Line {
  readonly #open: () => Dispatcher;
  #dispatcher: Dispatcher;
  /** Answers over this connection. */
  answers = 0;

  constructor(open: () => Dispatcher) {
    this.#open = open;
    this.#dispatcher = open();
  }

  get dispatcher(): Dispatcher {
    return this.#dispatcher;
  }

  /** Closes the connection: the next request opens another one. */
  renew(): void {
    const old = this.#dispatcher;
    this.#dispatcher = this.#open();
    this.answers = 0;
    void old.destroy();
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

export type Connection = ReturnType<typeof connect>;

export function connect({ baseUrl, token, tokenScheme, ...options }: ConnectOptions) {
  const origin = new URL(baseUrl);
  const limits = { ...(options.limits ?? LIMITS), ...options.timeouts };
  const finder = new SecretFinder(token === null ? [] : [{ name: "the token", value: token }]);
  const open = dispatcherFor(origin, limits, options.proxies ?? NO_PROXIES, token !== null);
  const lines = Array.from({ length: options.concurrency }, () => new Line(open));
  const free = [...lines];
  const moved = new Map<string, string>();
  const frames = new Map<string, PageFrame>();
  return {
    origin,
    limits,
    now: options.runtime.now,
    /**
     * Removes the credential from what a service sends: it may echo it in an error, a link or a record, in any encoding.
     *
     * The raw body is cleaned before any part is cut out of it, and the decoded values once more: escapes in JSON can hide
     * the credential until they are decoded.
     */
    clean: <T>(value: T): T => finder.redact(value),
    /** Removes the credential from a message, also one that is too short for `clean`. */
    redact: (message: string): string =>
      token === null ? message : finder.redact(message).replaceAll(token, "…"),
    /**
     * Takes a connection out of the pool. Each connects only to `origin`, so that neither a redirect nor a `next` can send
     * the credential elsewhere.
     */
    take: (): Line => free.pop() ?? new Line(open),
    give: (line: Line): void => {
      free.push(line);
    },
    /** Closes the connections that no request uses. */
    renew: (): void => {
      for (const line of free) line.renew();
    },
    /** Whether connections are kept open between requests. */
    keepsAlive: true,
    charset: new UnnamedCharset(),
    /** What the pages of the list at a path have around their rows. */
    frameOf: (path: string): PageFrame =>
      getOrCompute(frames, path.split("?", 1)[0] ?? "", () => new PageFrame()),
    /** Whether no proxy is on the way. */
    isDirect: proxyOf(origin, options.proxies ?? NO_PROXIES) === null,
    /** Whether answers are read that break the rules of HTTP; one came. */
    isLenient: false,
    /** Notes a permanent redirect, for the rest of the run. */
    noteMoved: (path: string, to: string): void => {
      moved.set(path, to);
    },
    /** The address where a path with its query is now. */
    toMoved: (path: string): string => {
      const [pathname = path] = path.split("?", 1);
      return (moved.get(pathname) ?? pathname) + path.slice(pathname.length);
    },
    close: async (): Promise<void> => {
      await Promise.all([...new Set([...lines, ...free])].map((line) => line.close()));
    },
    headers: {
      accept: "application/json, */*;q=0.1",
      "accept-encoding": "gzip, br",
      "user-agent": USER_AGENT,
      ...(token === null ? {} : { authorization: `${tokenScheme} ${token}` }),
    },
  };
}
