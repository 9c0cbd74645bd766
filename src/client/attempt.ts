/** Sends one request without retries: time limits for each stage, two redirects at most (docs/walk.md, section 8). */
import { errors } from "undici";
import { headerReader, readAnswer, type Answer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { AttemptFailed, classifyCode, classifyStatus } from "./verdict.ts";

const MAX_REDIRECTS = 2;

/**
 * @param path below the origin, with its query
 * @param signal cancels the request; its reason is thrown unchanged
 * @param beforeSending called before each request, also those that follow a redirect
 * @throws {AttemptFailed} for every answer that is not JSON with status 200
 */
export async function attempt(
  connection: Connection,
  path: string,
  signal: AbortSignal,
  beforeSending: () => void,
): Promise<Answer> {
  const { totalMs, maxBytes } = connection.limits;
  const deadline = AbortSignal.timeout(totalMs);
  try {
    return await send(connection, path, AbortSignal.any([signal, deadline]), beforeSending);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) throw error;
    if (deadline.aborted) {
      const what = `no whole answer within ${totalMs / 1_000} s`;
      throw new AttemptFailed("transient", what, { cause: error });
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
): Promise<Answer> {
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
    throw new AttemptFailed("configuration", `a redirect to ${target.origin}`);
  }
  if (redirects >= MAX_REDIRECTS) {
    throw new AttemptFailed("permanent", `more than ${MAX_REDIRECTS} redirects`);
  }
  return target;
}

/** A failure of the network has a code; only undici's parser leaves it empty. */
function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof errors.HTTPParserError) return error.name;
  // Node wraps the errors of each address that it tried.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}
