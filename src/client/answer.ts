/** Reads one answer that arrived: its JSON, or why there is none (docs/walk.md, section 8). */
import { readErrorBody } from "../contract/error-body.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { decoded, decompressed, isIdentity, tooLarge } from "./body.ts";
import { mayBeJson, type Verdict } from "./classify.ts";
import type { Connection } from "./connection.ts";
import type { Response } from "./exchange.ts";
import { readRateLimit, type HeaderReader, type RateLimit } from "./wait/rate-limit.ts";
import { retryAfterMs } from "./wait/retry-after.ts";
import { askedWaitMs } from "./wait/throttle-wait.ts";

export interface Answer {
  /** Parsed, unchecked. */
  readonly body: unknown;
  readonly rateLimit: RateLimit;
}

/** What is read of a body that nobody wants, to keep the connection. */
const DUMPED_BYTES = 65_536;

/** How much of an answer's body is of use. */
export function wantedBytes(
  status: number,
  headers: Response["headers"],
  maxBytes: number,
): number {
  const redirect = status >= 300 && status < 400;
  const useless = redirect || (status === 200 && !mayBeJson(first(headers["content-type"])));
  return useless ? Math.min(DUMPED_BYTES, maxBytes) : maxBytes;
}

/** @throws {AttemptFailed} for every answer that is not JSON with status 200 */
export async function readAnswer(
  connection: Connection,
  response: Response,
  verdict: Exclude<Verdict, "redirect">,
): Promise<Answer> {
  const header = headerReader(response);
  const now = connection.now();
  if (verdict !== "accept") throw await refusal(connection, response, verdict);
  const contentType = header("content-type");
  if (!mayBeJson(contentType)) {
    const type = JSON.stringify(connection.clean.text(contentType ?? "").slice(0, 60));
    throw new AttemptFailed("garbled", `the service answered with ${type} instead of JSON`);
  }
  const text = await textOf(response, connection);
  const body = parsed(text);
  if (body === undefined) {
    throw new AttemptFailed(
      "transient",
      "the service answered with JSON that is cut short or broken",
    );
  }
  if (isThrottleInDisguise(body)) {
    throw new AttemptFailed("throttled", "the service answered 429 as a success", {
      status: 429,
      askedWaitMs: askedWaitMs(header, text, now),
    });
  }
  return { body, rateLimit: readRateLimit(header, now) };
}

/** Cleaned whole, before anything is cut out of it, stored or shown: a service may echo what it was sent. */
async function textOf(
  { headers, bytes, cut }: Response,
  { clean, limits }: Connection,
): Promise<string> {
  if (cut) throw tooLarge(limits.maxBytes);
  const encoding = clean.text(first(headers["content-encoding"]) ?? "");
  const plain = isIdentity(encoding) ? bytes : await decompressed(bytes, encoding, limits.maxBytes);
  return clean.text(decoded(plain));
}

async function refusal(
  connection: Connection,
  response: Response,
  verdict: AttemptFailed["verdict"],
): Promise<AttemptFailed> {
  const header = headerReader(response);
  const text = await bodyOfFailure(response, connection);
  const said = readErrorBody(parsed(text));
  const { status } = response;
  const now = connection.now();
  const asked =
    verdict === "throttled"
      ? askedWaitMs(header, text, now)
      : retryAfterMs(header("retry-after"), header("date"), now);
  const what = `the service answered ${status}${said === null ? "" : ` "${said}"`}`;
  return new AttemptFailed(verdict, what, { status, askedWaitMs: asked });
}

/** What a refusal says matters less than the refusal: a body that cannot be read is an empty one. */
async function bodyOfFailure(response: Response, connection: Connection): Promise<string> {
  try {
    return await textOf(response, connection);
  } catch (error) {
    if (error instanceof AttemptFailed) return "";
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

/** `{errno: 429}` with status 200: throttled, in any body shape (docs/walk.md, section 8). */
function isThrottleInDisguise(body: unknown): boolean {
  return typeof body === "object" && body !== null && "errno" in body && body.errno === 429;
}

export function headerReader({ headers }: Response): HeaderReader {
  return (name) => first(headers[name]);
}

/** The first value where a header came more than once; null when it did not come. */
function first(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
