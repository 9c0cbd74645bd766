/** Reads one HTTP response: its JSON, or the reason why it has none (docs/walk.md, section 8). */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { readErrorBody } from "../contract/error-body.ts";
import { parseJson } from "../contract/parse-json.ts";
import type { Connection } from "./connection.ts";
import { AttemptFailed, type Failure } from "./verdict.ts";
import {
  readAskedWaitMs,
  readRateLimit,
  retryAfterMs,
  type HeaderReader,
  type RateLimit,
} from "./wait.ts";

export interface Answer {
  /** Parsed, unchecked. */
  readonly body: unknown;
  readonly rateLimit: RateLimit;
}

type Response = Pick<Dispatcher.ResponseData, "statusCode" | "headers" | "body">;

/** @throws {AttemptFailed} for every answer that is not JSON with status 200 */
export async function readAnswer(
  connection: Connection,
  response: Response,
  verdict: Failure | "accept",
): Promise<Answer> {
  const header = headerReader(response);
  const now = connection.now();
  if (verdict !== "accept") throw await readRefusal(connection, response, verdict);
  const contentType = header("content-type");
  if (!mayBeJson(contentType)) {
    await response.body.dump({ limit: connection.limits.dumpBytes });
    const type = JSON.stringify(connection.clean.text(contentType ?? "").slice(0, 60));
    throw new AttemptFailed("garbled", `the service answered with ${type} instead of JSON`);
  }
  const text = await readText(connection, response);
  const body = parseJson(text);
  if (body === undefined) {
    const what = "the service answered with JSON that is cut short or broken";
    throw new AttemptFailed("transient", what);
  }
  // Some services send `{errno: 429}` with status 200.
  if (typeof body === "object" && body !== null && "errno" in body && body.errno === 429) {
    const details = { status: 429, askedWaitMs: readAskedWaitMs(header, text, now) };
    throw new AttemptFailed("throttled", "the service answered 429 with status 200", details);
  }
  return { body, rateLimit: readRateLimit(header, now) };
}

async function readRefusal(
  connection: Connection,
  response: Response,
  verdict: Failure,
): Promise<AttemptFailed> {
  const header = headerReader(response);
  // The status decides: an error body that cannot be read counts as empty.
  const text = await readText(connection, response).catch(() => "");
  const said = readErrorBody(parseJson(text));
  const status = response.statusCode;
  const now = connection.now();
  const asked =
    verdict === "throttled"
      ? readAskedWaitMs(header, text, now)
      : retryAfterMs(header("retry-after"), header("date"), now);
  const what = `the service answered ${status}${said === null ? "" : ` "${said}"`}`;
  return new AttemptFailed(verdict, what, { status, askedWaitMs: asked });
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
 * Reads and decompresses a body. The size limit holds after decompression: a small gzip can hold a very large page. The
 * credential is removed before any part of the text is cut out, stored or shown: a service may echo it.
 */
async function readText({ clean, limits }: Connection, response: Response): Promise<string> {
  const encoding = clean.text(headerReader(response)("content-encoding") ?? "");
  const decode = DECODERS.get(encoding.trim().toLowerCase());
  const bytes = await response.body.bytes();
  if (decode === undefined) {
    throw new AttemptFailed("garbled", `a body encoded as "${encoding.slice(0, 20)}"`);
  }
  return clean.text(utf8.decode(await decode(bytes, { maxOutputLength: limits.maxBytes })));
}

/** Whether a `Content-Type` allows a JSON body; an absent one does. */
function mayBeJson(contentType: string | null): boolean {
  const [type = ""] = (contentType ?? "application/json").split(";", 1);
  return /^application\/(?:[\w.-]+\+)?json$/i.test(type.trim());
}

/** Reads the first value where a header came more than once. */
export function headerReader({ headers }: Pick<Response, "headers">): HeaderReader {
  return (name) => [headers[name]].flat()[0] ?? null;
}
