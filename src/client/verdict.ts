/**
 * What each way of failing means, as the tables of docs/walk.md, section 8.
 *
 * Nothing here waits or asks again; it only says which of these reactions an outcome calls for.
 */

/** once more, then give up · never again · stop, it is our settings · try again · wait to be allowed. */
export type Failure = "garbled" | "permanent" | "configuration" | "transient" | "throttled";

export type Verdict = "accept" | "redirect" | Failure;

interface Details {
  readonly cause?: unknown;
  /** The status of the answer; 0 when there was none. */
  readonly status?: number;
  /** What the service asked us to wait, in milliseconds. */
  readonly askedWaitMs?: number | null;
}

/** One attempt that gave no usable answer, and the reaction it calls for. Never leaves this folder. */
export class AttemptFailed extends Error {
  override readonly name = "AttemptFailed";
  readonly verdict: Failure;
  readonly status: number;
  readonly askedWaitMs: number | null;

  /** @param what names the failure as part of a sentence: `the service answered 500` */
  constructor(verdict: Failure, what: string, details: Details = {}) {
    super(what, { cause: details.cause });
    this.verdict = verdict;
    this.status = details.status ?? 0;
    this.askedWaitMs = details.askedWaitMs ?? null;
  }
}

/** Statuses whose verdict is not that of their class. */
const BY_STATUS = new Map<number, Verdict>([
  [200, "accept"],
  ...[301, 302, 303, 307, 308].map((status) => [status, "redirect"] as const),
  ...[401, 403, 407].map((status) => [status, "configuration"] as const),
  ...[408, 425].map((status) => [status, "transient"] as const),
  [429, "throttled"],
]);

/** By the hundreds of the status. */
const BY_CLASS: Readonly<Record<number, Verdict>> = {
  3: "permanent",
  4: "permanent",
  5: "transient",
};

export function verdictOnStatus(status: number): Verdict {
  return BY_STATUS.get(status) ?? BY_CLASS[Math.floor(status / 100)] ?? "garbled";
}

/** Codes of Node's TLS that say the certificate is wrong, which no second attempt mends. */
const CERTIFICATE =
  /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;

/** A body that is too large, as it was sent and decompressed. */
const TOO_LARGE = ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "ERR_BUFFER_TOO_LARGE"];

/**
 * Resets, refusals, DNS trouble, time-outs, and bodies that end too soon, are too large or cannot be decoded.
 *
 * @param code the error's own code, such as `ECONNRESET`
 */
export function failureOnCode(code: string, maxBytes: number, cause: unknown): AttemptFailed {
  if (TOO_LARGE.includes(code)) {
    return new AttemptFailed("garbled", `a body of more than ${maxBytes} bytes`, { cause });
  }
  const verdict = CERTIFICATE.test(code) ? "configuration" : "transient";
  return new AttemptFailed(verdict, `no whole answer came (${code})`, { cause });
}
