/**
 * Sends one POST to the service, with the credential; it is never repeated and never redirected.
 *
 * The reader receives only the outcome of the vote. The body of the service's answer could hold anything, so it is not
 * forwarded.
 */
import { SERVICE_API, type VoteOperation } from "../client/service-api.ts";
import { readAskedWaitMs } from "../http/wait.ts";
import { LONGEST_WAIT_MS } from "../contract/ledger.ts";

export interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string | null;
  /** Word before the credential in `Authorization`. */
  readonly scheme: string;
}

/** How the relay answers a request. */
export interface Verdict {
  readonly status: 200 | 400 | 403 | 404 | 405 | 411 | 413 | 415 | 429 | 500 | 502 | 503 | 504;
  /** With 429, the time until the next request may come. */
  readonly waitMs?: number;
  /** A message for the operator. */
  readonly fault?: string;
}

const TIMEOUT_MS = 10_000;

/** Wait after a 429 that names no time. */
const DEFAULT_WAIT_MS = 60_000;

/** Failures before a byte of the vote was sent: it may be tried again. */
const UNSENT: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"],
  ...["UND_ERR_CONNECT_TIMEOUT", "ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Never rejects. After 502 and 504 it is unknown whether the service counted the vote. */
export async function forward(
  service: Service,
  operation: VoteOperation,
  pk: number,
  now: number,
): Promise<Verdict> {
  try {
    const response = await fetch(service.baseUrl + SERVICE_API.votePath(operation), {
      method: "POST",
      redirect: "manual",
      headers: {
        Accept: "application/json",
        "Accept-Encoding": "identity",
        ...(service.token !== null && { Authorization: `${service.scheme} ${service.token}` }),
      },
      body: new URLSearchParams({ pk: String(pk) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await beginningOf(response);
    // An error may come with status 200 (docs/contract.md, section 7).
    const [, errno = 200] = /^\s*\{.*"errno"\s*:\s*(\d{3})\b/s.exec(body) ?? [];
    const code = response.ok ? Number(errno) : response.status;
    if (code === 429) {
      const asked = readAskedWaitMs((name) => response.headers.get(name), body, now);
      return { status: 429, waitMs: Math.min(asked ?? DEFAULT_WAIT_MS, LONGEST_WAIT_MS) };
    }
    const fault = `The service answered ${code}`;
    if (code === 200) return { status: 200 };
    if (code === 401 || code === 403) {
      return { status: 503, fault: "The service refuses the credential" };
    }
    if (code === 404) return { status: 404 };
    if (code === 502 || code === 504 || code < 400) return { status: 502, fault };
    return code === 408 || code === 425 || code >= 500 ? { status: 503, fault } : { status: 400 };
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    // Of a failed connection, `fetch` says no more than "fetch failed"; its cause has the reason.
    const { cause = error } = error as Error;
    // With two addresses that fail, the cause has a code and no message.
    const { message, code = "" } = cause as NodeJS.ErrnoException;
    const why = message === "" ? code : message;
    if (UNSENT.has(code)) {
      return { status: 503, fault: `Cannot reach the service, nothing was sent: ${why}` };
    }
    return { status: timedOut ? 504 : 502, fault: `The service did not answer: ${why}` };
  }
}

/** More than an error body of the contract has. */
const MAX_BYTES = 2_048;

/** Reads the beginning of a body, which is enough for an error with status 200. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    text += decoder.decode(piece.subarray(0, MAX_BYTES), { stream: true });
    if (text.length >= MAX_BYTES) break;
  }
  return text;
}
