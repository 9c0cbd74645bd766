/** Where a redirect leads, and whether the walk may follow it (docs/walk.md, section 8). */
import { AttemptFailed } from "./verdict.ts";

export const MAX_REDIRECTS = 2;

/** Paths of pages that ask for a name and a password. */
const LOG_IN = /(?:^|\/)(?:log-?in|sign-?in|signin|sso|auth|oauth2?|accounts\/login)(?:\/|\.|$)/i;

/**
 * @param location value of the header; null where it is absent
 * @throws {AttemptFailed} where it leads to another origin, to a log-in page, or drops the query
 */
export function followRedirect(location: string | null, from: URL): URL {
  const target = location === null ? null : URL.parse(location, from);
  if (target === null) throw new AttemptFailed("refused", "a redirect without a valid Location");
  if (LOG_IN.test(target.pathname) && !LOG_IN.test(from.pathname)) {
    const advice = "the service asks for a credential: check QUOTES_TOKEN and QUOTES_TOKEN_SCHEME";
    const what = `a redirect to the log-in page ${target.pathname}`;
    throw new AttemptFailed("wrong setting", what, { advice });
  }
  if (target.origin !== from.origin) {
    const advice = "set QUOTES_BASE_URL to where the service is";
    throw new AttemptFailed("wrong setting", `a redirect to ${target.origin}`, { advice });
  }
  const lost = [...from.searchParams.keys()].filter((name) => !target.searchParams.has(name));
  if (lost.length > 0) {
    const advice = `set QUOTES_BASE_URL so that the path ${target.pathname} is asked for directly`;
    const what = `a redirect to ${target.pathname} that drops ${lost.join(", ")} of the query`;
    throw new AttemptFailed("wrong setting", what, { advice });
  }
  return target;
}
