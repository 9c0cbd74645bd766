/** One attempt at one answer: a request with limits on every stage of it, redirects included (docs/walk.md, section 8). */
import { headerReader, readAnswer, wantedBytes, type Answer } from "./answer.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { verdictOnCode, verdictOnStatus } from "./classify.ts";
import type { Connection } from "./connection.ts";
import { exchange, type GiveUp } from "./exchange.ts";

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
  const { totalMs } = connection.limits;
  let giveUp: GiveUp = () => undefined;
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    giveUp(new RangeError("late"));
  }, totalMs);
  const stop = (): void => giveUp(new RangeError("stopped"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await followed(connection, path, beforeSending, (means) => {
      giveUp = means;
      // Between two requests there was nothing to give up.
      if (late || signal.aborted) giveUp(new RangeError("late or stopped"));
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) throw error;
    if (late) {
      const what = `no whole answer within ${totalMs / 1_000} s`;
      throw new AttemptFailed("transient", what, { cause: error });
    }
    const code = errorCode(error);
    if (code === null) throw error;
    const what = `the connection failed (${code})`;
    throw new AttemptFailed(verdictOnCode(code), what, { cause: error });
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", stop);
  }
}

async function followed(
  connection: Connection,
  path: string,
  beforeSending: () => void,
  started: (giveUp: GiveUp) => void,
): Promise<Answer> {
  const { pool, headers, origin, limits } = connection;
  const wanted = (status: number, received: Parameters<typeof wantedBytes>[1]): number =>
    wantedBytes(status, received, limits.maxBytes);
  let at = path;
  for (let redirects = 0; ; redirects++) {
    beforeSending();
    const response = await exchange(pool, at, headers, wanted, started);
    const verdict = verdictOnStatus(response.status);
    if (verdict !== "redirect") return readAnswer(connection, response, verdict);
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
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error.name === "AbortError" || error.name === "TimeoutError" ? error.name : null;
}
