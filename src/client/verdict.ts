/** Maps each outcome of a request to a reaction: the table of docs/walk.md, section 8. */

export type Failure =
  /** Retried once. */
  | "garbled"
  /** Never retried. */
  | "permanent"
  /** Ends the run: a setting is wrong. */
  | "configuration"
  /** Retried with backoff. */
  | "transient"
  /** Repeated after the wait that the service asks for. */
  | "throttled";

/** An attempt without a usable answer, with the reaction to it. Internal to this folder. */
export class AttemptFailed extends Error {
  override readonly name = "AttemptFailed";
  readonly verdict: Failure;
  /** HTTP status; 0 when there was no answer, and 504 (Gateway Timeout) when it took too long. */
  readonly status: number;
  /** Wait that the service asked for; null for none. */
  readonly askedWaitMs: number | null;

  /** Whether the cause may be a single record or a large offset: the service fails, or its body cannot be parsed. */
  get mayBeOfRecord(): boolean {
    return this.status === 500 || this.status === 200 || this.isTimeout;
  }

  /** Whether the request took the service too long, by our clock or that of a proxy. */
  get isTimeout(): boolean {
    return this.status === 502 || this.status === 504;
  }

  /** @param what the failure as a clause: `the service answered 500` */
  constructor(verdict: Failure, what: string, details: Partial<AttemptFailed> = {}) {
    super(what, { cause: details.cause });
    this.verdict = verdict;
    this.status = details.status ?? 0;
    this.askedWaitMs = details.askedWaitMs ?? null;
  }
}

export function classifyStatus(status: number): "accept" | "redirect" | Failure {
  if (status === 200) return "accept";
  if (status === 429) return "throttled";
  if ([301, 302, 303, 307, 308].includes(status)) return "redirect";
  if ([401, 403, 407].includes(status)) return "configuration";
  if ([408, 425].includes(status) || (status >= 500 && status < 600)) return "transient";
  // Some services answer 204 past the end of a list.
  return status === 204 || (status >= 300 && status < 500) ? "permanent" : "garbled";
}

/** Codes of Node's TLS for a bad certificate: a retry would not help. */
const CERTIFICATE =
  /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Codes for a body that is too large, compressed and decompressed. */
const TOO_LARGE = ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "ERR_BUFFER_TOO_LARGE"];

/**
 * Classifies resets, refusals, DNS errors, time-outs, and bodies that are cut short, too large or cannot be decoded.
 *
 * @param code of the error, such as `ECONNRESET`
 */
export function classifyCode(code: string, maxBytes: number, cause: unknown): AttemptFailed {
  if (TOO_LARGE.includes(code)) {
    return new AttemptFailed("garbled", `a body of more than ${maxBytes} bytes`, { cause });
  }
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
    const what = "the service answered with text that is not UTF-8";
    return new AttemptFailed("transient", what, { status: 200, cause });
  }
  const verdict = CERTIFICATE.test(code) ? "configuration" : "transient";
  const status = code === "UND_ERR_HEADERS_TIMEOUT" ? 504 : 0;
  return new AttemptFailed(verdict, `no whole answer came (${code})`, { status, cause });
}
