/** One attempt at one answer: a request with limits on every stage of it, redirects included (docs/walk.md, section 8). */
import { headerReader, readAnswer, type Answer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { AttemptFailed, failureOnCode, verdictOnStatus } from "./verdict.ts";

const MAX_REDIRECTS = 2;

/**
 * @param path with its query, from the origin
 * @param signal aborted to give up; its reason is thrown as it is
 * @param beforeSending called before every request that goes out, also those that follow a redirect
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
    return await followed(connection, path, AbortSignal.any([signal, deadline]), beforeSending);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) throw error;
    if (deadline.aborted) {
      const what = `no whole answer within ${totalMs / 1_000} s`;
      throw new AttemptFailed("transient", what, { cause: error });
    }
    const code = errorCode(error);
    throw code === null ? error : failureOnCode(code, maxBytes, error);
  }
}

async function followed(
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
    const verdict = verdictOnStatus(response.statusCode);
    if (verdict !== "redirect") return readAnswer(connection, response, verdict);
    await response.body.dump({ limit: connection.limits.dumpBytes, signal });
    const location = headerReader(response)("location");
    const target = redirectTarget(location, new URL(at, origin), redirects);
    at = target.pathname + target.search;
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

function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  // A failed look-up or connection over several addresses wraps the errors of each.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}
