/** One attempt at one answer: a request with limits on every stage of it, redirects included (harvest.md §6). */
import { headerReader, readAnswer, DUMPED_BYTES, type Answer } from "./answer.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { verdictOnCode, verdictOnStatus } from "./classify.ts";
import type { Connection } from "./connection.ts";

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
  // Not AbortSignal.any: each of those stays tied to the long-lived signal until it is collected.
  const ended = new AbortController();
  const giveUp = (): void => ended.abort();
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    giveUp();
  }, connection.limits.totalMs);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await followed(connection, path, ended.signal, beforeSending);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) throw error;
    if (late) {
      const seconds = connection.limits.totalMs / 1_000;
      throw new AttemptFailed("transient", `no whole answer within ${seconds} s`, { cause: error });
    }
    const code = errorCode(error);
    if (code === null) throw error;
    const what = `the connection failed (${code})`;
    throw new AttemptFailed(verdictOnCode(code), what, { cause: error });
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", giveUp);
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
    if (verdict !== "redirect") return readAnswer(connection, response, verdict);
    await response.body.dump({ limit: DUMPED_BYTES, signal });
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

function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  // A failed look-up or connection over several addresses wraps the errors of each.
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error.name === "AbortError" || error.name === "TimeoutError" ? error.name : null;
}
