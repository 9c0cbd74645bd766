/** Reads one answer that arrived: its JSON, or why there is none (harvest.md §6). */
import type { Dispatcher } from "undici";
import { readErrorBody } from "../contract/error-body.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { readBody } from "./body.ts";
import { mayBeJson, type Verdict } from "./classify.ts";
import type { Connection } from "./connection.ts";
import { readRateLimit, type HeaderReader, type RateLimit } from "./wait/rate-limit.ts";
import { retryAfterMs } from "./wait/retry-after.ts";
import { askedWaitMs } from "./wait/throttle-wait.ts";

export interface Answer {
  /** Parsed, unchecked. */
  readonly body: unknown;
  readonly rateLimit: RateLimit;
}

/** What is read of a body that nobody wants, to keep the connection. */
export const DUMPED_BYTES = 65_536;

/** @throws {AttemptFailed} for every answer that is not JSON with status 200 */
export async function readAnswer(
  connection: Connection,
  response: Dispatcher.ResponseData,
  verdict: Exclude<Verdict, "redirect">,
): Promise<Answer> {
  const header = headerReader(response);
  const now = connection.now();
  if (verdict !== "accept") throw await refusal(connection, response, verdict);
  const contentType = header("content-type");
  if (!mayBeJson(contentType)) {
    await response.body.dump({ limit: DUMPED_BYTES });
    const type = JSON.stringify(connection.redact(contentType ?? "").slice(0, 60));
    throw new AttemptFailed("garbled", `the service answered with ${type} instead of JSON`);
  }
  const { maxBytes } = connection.limits;
  // Cleaned whole, before anything is cut out of it, stored or shown: a service may echo what it was sent.
  const text = connection.redact(
    await readBody(response.body, connection.redact(header("content-encoding") ?? ""), maxBytes),
  );
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

async function refusal(
  connection: Connection,
  response: Dispatcher.ResponseData,
  verdict: AttemptFailed["verdict"],
): Promise<AttemptFailed> {
  const header = headerReader(response);
  const text = await bodyOfFailure(connection, response, header);
  const said = readErrorBody(parsed(text));
  const { statusCode: status } = response;
  const now = connection.now();
  const asked =
    verdict === "throttled"
      ? askedWaitMs(header, text, now)
      : retryAfterMs(header("retry-after"), header("date"), now);
  const what = `the service answered ${status}${said === null ? "" : ` "${said}"`}`;
  return new AttemptFailed(verdict, what, { status, askedWaitMs: asked });
}

/** What a refusal says matters less than the refusal: a body that cannot be read is an empty one. */
async function bodyOfFailure(
  { redact, limits }: Connection,
  response: Dispatcher.ResponseData,
  header: HeaderReader,
): Promise<string> {
  try {
    const encoding = redact(header("content-encoding") ?? "");
    return redact(await readBody(response.body, encoding, limits.maxBytes));
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
export function headerReader(response: Dispatcher.ResponseData): HeaderReader {
  return (name) => {
    const value = response.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
}
