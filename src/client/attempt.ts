/**
 * One attempt at one answer: a request with limits on every stage of it, redirects included.
 *
 * The connection pool is bound to one origin, so neither a redirect nor a `next` can carry a credential elsewhere.
 */
import { Pool, type Dispatcher } from "undici";
import { readErrorBody } from "../contract/error-body.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { ENCODINGS, readBody } from "./body.ts";
import { mayBeJson, verdictOnCode, verdictOnStatus, type Verdict } from "./classify.ts";
import type { Limits } from "./options.ts";
import { retryAfterMs } from "./wait/retry-after.ts";
import { askedWaitMs } from "./wait/throttle-wait.ts";
import { readRateLimit, type HeaderReader, type RateLimit } from "./wait/rate-limit.ts";

const MAX_REDIRECTS = 2;

export const USER_AGENT = "commonplace/0.1 (static site generator; nightly harvest)";

export interface Answer {
  /** Parsed, unchecked. */
  readonly body: unknown;
  readonly rateLimit: RateLimit;
}

export interface Connection {
  readonly origin: URL;
  readonly pool: Pool;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly now: () => number;
}

export function connect(
  baseUrl: string,
  credential: string | null,
  connections: number,
  limits: Limits,
  now: () => number,
): Connection {
  const origin = new URL(baseUrl);
  return {
    origin,
    limits,
    now,
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
      ...(credential === null ? {} : { authorization: credential }),
    },
  };
}

/**
 * @param path with its query, from the origin
 * @param beforeSending called before every request that goes out, also those that follow a redirect
 * @throws {AttemptFailed} for every answer that is not JSON with status 200
 */
export async function attempt(
  connection: Connection,
  path: string,
  signal: AbortSignal,
  beforeSending: () => void,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(connection.limits.totalMs);
  const either = AbortSignal.any([deadline, signal]);
  try {
    return await followed(connection, path, either, beforeSending);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) throw error;
    if (deadline.aborted) {
      const seconds = connection.limits.totalMs / 1_000;
      throw new AttemptFailed("transient", `no whole answer within ${seconds} s`, { cause: error });
    }
    const code = errorCode(error);
    if (code === null) throw error;
    throw new AttemptFailed(verdictOnCode(code), `the connection failed (${code})`, {
      cause: error,
    });
  }
}

async function followed(
  connection: Connection,
  path: string,
  signal: AbortSignal,
  beforeSending: () => void,
): Promise<Answer> {
  let at = new URL(path, connection.origin);
  for (let redirects = 0; ; redirects++) {
    beforeSending();
    const response = await connection.pool.request({
      method: "GET",
      path: at.pathname + at.search,
      headers: connection.headers,
      signal,
    });
    const verdict = verdictOnStatus(response.statusCode);
    if (verdict !== "redirect") return read(connection, response, verdict);
    await response.body.dump({ limit: 65_536, signal });
    at = redirectTarget(headerReader(response)("location"), at, redirects);
  }
}

function redirectTarget(location: string | null, from: URL, redirects: number): URL {
  const target = location === null ? null : URL.parse(location, from);
  if (target === null) throw new AttemptFailed("permanent", "a redirect that leads nowhere");
  if (target.origin !== from.origin) {
    throw new AttemptFailed("configuration", `a redirect to ${target.origin}`);
  }
  if (redirects >= MAX_REDIRECTS) {
    throw new AttemptFailed("permanent", `more than ${MAX_REDIRECTS} redirects`);
  }
  return target;
}

async function read(
  connection: Connection,
  response: Dispatcher.ResponseData,
  verdict: Exclude<Verdict, "redirect">,
): Promise<Answer> {
  const { statusCode: status } = response;
  const header = headerReader(response);
  const { maxBytes } = connection.limits;
  if (verdict !== "accept") {
    const text = await bodyOfFailure(response, header, maxBytes);
    const said = readErrorBody(parsed(text));
    const what = `the service answered ${status}${said === null ? "" : ` "${said}"`}`;
    const asked =
      verdict === "throttled"
        ? askedWaitMs(header, text, connection.now())
        : retryAfterMs(header("retry-after"), header("date"), connection.now());
    throw new AttemptFailed(verdict, what, { status, askedWaitMs: asked });
  }
  const contentType = header("content-type");
  if (!mayBeJson(contentType)) {
    await response.body.dump({ limit: 65_536 });
    const type = JSON.stringify(contentType?.slice(0, 60));
    throw new AttemptFailed("garbled", `the service answered with ${type} instead of JSON`);
  }
  const text = await readBody(response.body, header("content-encoding"), maxBytes);
  const body = parsed(text);
  if (body === undefined) {
    throw new AttemptFailed(
      "transient",
      "the service answered with JSON that is cut short or broken",
    );
  }
  if (isThrottleInDisguise(body)) {
    const asked = askedWaitMs(header, text, connection.now());
    throw new AttemptFailed("throttled", "the service answered 429 as a success", {
      status: 429,
      askedWaitMs: asked,
    });
  }
  return { body, rateLimit: readRateLimit(header, connection.now()) };
}

/** What a refusal says matters less than the refusal: a body that cannot be read is an empty one. */
async function bodyOfFailure(
  response: Dispatcher.ResponseData,
  header: HeaderReader,
  maxBytes: number,
): Promise<string> {
  try {
    return await readBody(response.body, header("content-encoding"), maxBytes);
  } catch (error) {
    if (error instanceof Error) return "";
    throw error;
  }
}

/** Undefined when the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `{errno: 429}` with status 200: throttled, in any body shape (harvest.md §6). */
function isThrottleInDisguise(body: unknown): boolean {
  return typeof body === "object" && body !== null && "errno" in body && body.errno === 429;
}

/** The first value where a header came more than once. */
function headerReader(response: Dispatcher.ResponseData): HeaderReader {
  return (name) => {
    const value = response.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
}

function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  // A failed look-up or connection over several addresses wraps the errors of each.
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error.name === "AbortError" || error.name === "TimeoutError" ? error.name : null;
}
