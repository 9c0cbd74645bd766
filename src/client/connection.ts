/**
 * The connections to one origin. They lead nowhere else, so neither a redirect nor a `next` can carry a credential
 * away.
 */
import { Pool } from "undici";
import { ENCODINGS } from "./body.ts";
import { cleanerFor, type Cleaner } from "./cleaner.ts";
import type { Limits } from "./options.ts";

export const USER_AGENT = "commonplace/0.1 (static site generator; nightly harvest)";

export interface Connection {
  readonly origin: URL;
  readonly pool: Pool;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly now: () => number;
  readonly clean: Cleaner;
}

/** @param token goes out with every request behind `scheme`, and comes back with no answer; null for none */
export function connect(
  baseUrl: string,
  { token, tokenScheme }: { readonly token: string | null; readonly tokenScheme: string },
  connections: number,
  limits: Limits,
  now: () => number,
): Connection {
  const origin = new URL(baseUrl);
  return {
    origin,
    limits,
    now,
    clean: cleanerFor(token),
    pool: new Pool(origin.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.bodyIdleMs,
    }),
    headers: {
      accept: "application/json",
      "accept-encoding": ENCODINGS,
      "user-agent": USER_AGENT,
      ...(token === null ? {} : { authorization: `${tokenScheme} ${token}` }),
    },
  };
}
