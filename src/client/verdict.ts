/**
 * Maps each outcome of one request to a verdict: what the answer means, not what follows for the list (docs/walk.md,
 * section 8).
 *
 * | verdict       | outcomes                                                              | what the client does           |
 * | ------------- | --------------------------------------------------------------------- | ------------------------------ |
 * | `busy`        | too fast or away: 408, 420, 425, 429, 502 and higher, 403 after a good answer, time-outs, resets, HTML or an error with 200 | pauses, asks for the start of the list, repeats |
 * | `unreachable` | the port refuses, or the name is unknown                              | the same, with less patience before a first good answer |
 * | `broken`      | 500, 501, a body that is cut short or cannot be decoded               | the same, but never for a request that is sent "once" |
 * | `too large`   | 413, 414, more bytes than the limit                                   | throws at once                 |
 * | `refused`     | any other status, redirects without a target                          | throws at once                 |
 * | `no list`     | a body that can never become a page, such as a record a line          | throws at once                 |
 * | `wrong setting` | 401 or 403 before a good answer, a redirect elsewhere, a bad certificate, a proxy that refuses | throws at once; waits where the same settings have worked |
 *
 * What a caller of `Client.get()` sees after a first good answer of the run:
 * - `PermanentAnswer`, with its status: `refused`; also a 403 that repeats at this address while the start of the list is
 *   served, and a wait that is too long for the run where an earlier run met one (`closed-places.ts`).
 * - `ServerFault`, with its verdict and status: `busy`, `broken` or `too large` at this address, twice in a row, while the start
 *   of the list was served right after that; all of it twice, or once for "once". It says nothing of other addresses.
 * - `StoppedEarly`: the start of the list fails too, and patience is at its end.
 * Before a first good answer a `busy` service is a `ServiceUnavailable`, and `wrong setting` a `ConfigurationError`.
 */
import type { Verdict } from "../contract/errors.ts";

/** An attempt without a usable answer, with the reaction to it. Internal to this folder. */
export class AttemptFailed extends Error {
  override readonly name = "AttemptFailed";
  readonly verdict: Verdict;
  /** HTTP status; 0 when there was no answer, and 504 (Gateway Timeout) when it took too long. */
  readonly status: number;
  /** Wait that the service asked for; null for none. */
  readonly askedWaitMs: number | null;
  /** Whether the connection ended before any part of an answer came. */
  readonly isReset: boolean;
  /** Whether an earlier run met the same at this place alone. */
  readonly isOfPlace: boolean;
  /** What the operator can do, as a clause; null where only time helps. */
  readonly advice: string | null;

  /** @param what the failure as a clause: `the service answered 500` */
  constructor(verdict: Verdict, what: string, details: Partial<AttemptFailed> = {}) {
    super(what, { cause: details.cause });
    this.verdict = verdict;
    this.status = details.status ?? 0;
    this.askedWaitMs = details.askedWaitMs ?? null;
    this.isReset = details.isReset ?? false;
    this.isOfPlace = details.isOfPlace ?? false;
    this.advice = details.advice ?? null;
  }
}

const BUSY: ReadonlySet<number> = new Set([408, 420, 425, 429]);
/** Without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @param hadAnswers whether the run has had a good answer: a 403 is then a limiter or a firewall, and no wrong setting */
export function classifyStatus(
  status: number,
  hadAnswers: boolean,
): "accept" | "redirect" | Verdict {
  // The body shows whether it is a page, and a whole one: some services answer 201 or 202, and proxies 203 or 299.
  if (status >= 200 && status < 300 && !EMPTY.has(status)) return "accept";
  if (REDIRECTS.has(status)) return "redirect";
  if (status === 407) return "wrong setting";
  if (status === 401) return hadAnswers ? "refused" : "wrong setting";
  if (status === 403) return hadAnswers ? "busy" : "wrong setting";
  if (BUSY.has(status) || status > 501) return "busy";
  if (status === 500 || status === 501) return "broken";
  if (status === 413 || status === 414) return "too large";
  // Some services answer 204 past the end of a list.
  return EMPTY.has(status) || status >= 300 ? "refused" : "busy";
}

/** Codes of Node's TLS for a bad certificate. */
const CERTIFICATE =
  /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;

const TOO_LARGE = ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "ERR_BUFFER_TOO_LARGE"];
const UNREACHABLE = ["ECONNREFUSED", "ENOTFOUND"];
const RESETS = ["ECONNRESET", "EPIPE", "ECONNABORTED", "UND_ERR_SOCKET"];
const TIMEOUTS = [
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
];

/** What operators can look for, by code. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the port refuses connections",
  ENOTFOUND: "the name of the host is unknown",
  EAI_AGAIN: "the name server did not answer",
  ECONNRESET: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no first byte in time; --headers-timeout sets the time",
  UND_ERR_BODY_TIMEOUT: "the body stopped coming; --idle-timeout sets the time",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body is not as long as its Content-Length says",
  HTTPParserError: "the answer breaks the rules of HTTP",
  Z_BUF_ERROR: "the compressed body is cut short",
  Z_DATA_ERROR: "the body is not compressed as its Content-Encoding says",
  ERR_ENCODING_INVALID_ENCODED_DATA: "the body is not UTF-8, and no other charset is named",
};

export interface Place {
  /** Whether headers had come. */
  readonly inBody: boolean;
  readonly hadAnswers: boolean;
  readonly maxBytes: number;
}

/**
 * Classifies resets, refusals, DNS errors, time-outs, and bodies that are cut short, too large or cannot be decoded.
 *
 * @param code of the error, such as `ECONNRESET`
 */
export function classifyCode(code: string, place: Place, cause: unknown): AttemptFailed {
  if (TOO_LARGE.includes(code)) {
    return new AttemptFailed("too large", `a body of more than ${place.maxBytes} bytes`, { cause });
  }
  const meaning = MEANINGS[code];
  const what = `no whole answer came (${code}${meaning === undefined ? "" : `: ${meaning}`})`;
  if (CERTIFICATE.test(code)) {
    const advice = "renew the certificate, or name its authority in NODE_EXTRA_CA_CERTS";
    const verdict = place.hadAnswers ? "busy" : "wrong setting";
    return new AttemptFailed(verdict, `the certificate is not valid (${code})`, { cause, advice });
  }
  if (UNREACHABLE.includes(code)) return new AttemptFailed("unreachable", what, { cause });
  if (TIMEOUTS.includes(code)) return new AttemptFailed("busy", what, { status: 504, cause });
  // Headers had come: the body is cut short or badly encoded, and a smaller page may be whole.
  if (place.inBody) return new AttemptFailed("broken", what, { status: 200, cause });
  return new AttemptFailed("busy", what, { isReset: RESETS.includes(code), cause });
}
