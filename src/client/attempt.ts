/**
 * Sends one request without retries, with a time limit for each stage and at most two redirects. Reads the JSON of the
 * response, or the reason why there is none (docs/walk.md, section 8).
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { errors, type Dispatcher } from "undici";
import { readErrorBody } from "../contract/body.ts";
import { parseJson } from "../contract/decode.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import type { Connection } from "./connection.ts";
import { AttemptFailed, classifyCode, classifyStatus, type Failure } from "./verdict.ts";
import { readAskedWaitMs, readRateLimit, type HeaderReader } from "../http/wait.ts";

const MAX_REDIRECTS = 2;

/**
 * @param path below the origin, with its query
 * @param signal cancels the request; its reason is thrown unchanged
 * @param beforeSending called before each request, also those that follow a redirect
 * @returns the parsed body, unchecked, and the rate limit
 * @throws {AttemptFailed} for every answer that is not JSON with status 200
 */
export async function attempt(
  connection: Connection,
  path: string,
  signal: AbortSignal,
  beforeSending: () => void,
): ReturnType<typeof readAnswer> {
  const { totalMs, maxBytes } = connection.limits;
  const deadline = AbortSignal.timeout(totalMs);
  try {
    return await send(connection, path, AbortSignal.any([signal, deadline]), beforeSending);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) throw error;
    if (deadline.aborted) {
      const what = `no whole answer within ${totalMs / 1_000} s`;
      throw new AttemptFailed("transient", what, { status: 504, cause: error });
    }
    const code = errorCode(error);
    throw code === null ? error : classifyCode(code, maxBytes, error);
  }
}

async function send(
  connection: Connection,
  path: string,
  signal: AbortSignal,
  beforeSending: () => void,
): ReturnType<typeof readAnswer> {
  const { pool, headers, origin } = connection;
  let at = path;
  for (let redirects = 0; ; redirects++) {
    beforeSending();
    const response = await pool.request({ method: "GET", path: at, headers, signal });
    const verdict = classifyStatus(response.statusCode);
    if (verdict !== "redirect") return readAnswer(connection, response, verdict);
    await response.body.dump({ limit: connection.limits.dumpBytes, signal });
    const location = headerReader(response)("location");
    const target = readRedirect(location, new URL(at, origin), redirects);
    at = target.pathname + target.search;
  }
}

function readRedirect(location: string | null, from: URL, redirects: number): URL {
  const target = location === null ? null : URL.parse(location, from);
  if (target === null) throw new AttemptFailed("permanent", "a redirect without a valid Location");
  if (target.origin !== from.origin) {
    throw new AttemptFailed(
      "configuration",
      `a redirect to ${target.origin}; set QUOTES_BASE_URL to where the service is`,
    );
  }
  if (redirects >= MAX_REDIRECTS) {
    throw new AttemptFailed("permanent", `more than ${MAX_REDIRECTS} redirects`);
  }
  return target;
}

/** Returns the code of a network failure, or the name of an error of undici's parser, which has no code. */
function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof errors.HTTPParserError) return error.name;
  // Node wraps the errors of each address that it tried.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}

type Response = Pick<Dispatcher.ResponseData, "statusCode" | "headers" | "body">;

/** @throws {AttemptFailed} for every answer that is not JSON with status 200 */
async function readAnswer(connection: Connection, response: Response, verdict: Failure | "accept") {
  const header = headerReader(response);
  const now = connection.now();
  if (verdict !== "accept") {
    // The status decides: an error body that cannot be read counts as empty.
    const text = await readText(connection, response).catch(() => "");
    const status = response.statusCode;
    const said = readErrorBody(parseJson(text));
    const askedWaitMs =
      verdict === "throttled"
        ? readAskedWaitMs(header, text, now)
        : retryAfterMs(header("retry-after"), header("date"), now);
    const what = `the service answered ${status}${said === null ? "" : ` "${said}"`}`;
    throw new AttemptFailed(verdict, what, { status, askedWaitMs });
  }
  const contentType = header("content-type");
  if (!mayBeJson(contentType)) {
    await response.body.dump({ limit: connection.limits.dumpBytes });
    const type = JSON.stringify(connection.clean(contentType ?? "").slice(0, 60));
    throw new AttemptFailed("garbled", `the service answered with ${type} instead of JSON`);
  }
  const text = await readText(connection, response);
  const body = parseJson(text);
  if (body === undefined) {
    const what = "the service answered with JSON that is cut short or broken";
    throw new AttemptFailed("transient", what, { status: 200 });
  }
  // Some services send `{errno: 429}` with status 200.
  if (typeof body === "object" && body !== null && "errno" in body && body.errno === 429) {
    const details = { status: 429, askedWaitMs: readAskedWaitMs(header, text, now) };
    throw new AttemptFailed("throttled", "the service answered 429 with status 200", details);
  }
  return { body, rateLimit: readRateLimit(header, now) };
}

type Decode = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS = new Map<string, Decode>([
  ["", (bytes) => Promise.resolve(bytes)],
  ["identity", (bytes) => Promise.resolve(bytes)],
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads and decompresses a body. The size limit also applies after decompression: a small gzip can hold a very large page.
 * The credential is removed before any part of the text is cut out, stored or shown: a service may echo it.
 */
async function readText({ clean, limits }: Connection, response: Response): Promise<string> {
  const encoding = clean(headerReader(response)("content-encoding") ?? "");
  const decode = DECODERS.get(encoding.trim().toLowerCase());
  const bytes = await response.body.bytes();
  if (decode === undefined) {
    throw new AttemptFailed("garbled", `a body encoded as "${encoding.slice(0, 20)}"`);
  }
  return clean(utf8.decode(await decode(bytes, { maxOutputLength: limits.maxBytes })));
}

/** Whether a `Content-Type` allows a JSON body; an absent one does. */
function mayBeJson(contentType: string | null): boolean {
  const [type = ""] = (contentType ?? "application/json").split(";", 1);
  return /^application\/(?:[\w.-]+\+)?json$/i.test(type.trim());
}

/** Returns a function that reads a header, and of several the first. */
function headerReader({ headers }: Pick<Response, "headers">): HeaderReader {
  return (name) => [headers[name]].flat()[0] ?? null;
}
