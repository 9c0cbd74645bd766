/**
 * What each way of failing means, as the tables of docs/walk.md, section 8.
 *
 * Nothing here waits or asks again; it only says which of five reactions an outcome calls for.
 */

/** accept · once more, then give up · never again · stop, it is our settings · try again · wait to be allowed. */
export type Verdict =
  "accept" | "redirect" | "garbled" | "permanent" | "configuration" | "transient" | "throttled";

/** Statuses whose verdict is not that of their class. */
const BY_STATUS: Readonly<Record<number, Verdict>> = {
  200: "accept",
  301: "redirect",
  302: "redirect",
  303: "redirect",
  307: "redirect",
  308: "redirect",
  401: "configuration",
  403: "configuration",
  407: "configuration",
  408: "transient",
  425: "transient",
  429: "throttled",
};

/** By the hundreds of the status. */
const BY_CLASS: Readonly<Record<number, Verdict>> = {
  2: "garbled",
  3: "permanent",
  4: "permanent",
  5: "transient",
};

export function verdictOnStatus(status: number): Verdict {
  return BY_STATUS[status] ?? BY_CLASS[Math.floor(status / 100)] ?? "garbled";
}

/** Codes of Node's TLS that say the certificate is wrong, which no second attempt mends. */
const CERTIFICATE =
  /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;

/**
 * A failure below HTTP: resets, refusals, DNS trouble, time-outs, bodies that end too soon.
 *
 * @param code the error's own code, such as `ECONNRESET`
 */
export function verdictOnCode(code: string): "configuration" | "transient" {
  return CERTIFICATE.test(code) ? "configuration" : "transient";
}

/** Whether a `Content-Type` promises JSON; an absent one promises nothing and is given its chance. */
export function mayBeJson(contentType: string | null): boolean {
  if (contentType === null) return true;
  const [type = ""] = contentType.split(";", 1);
  return /^application\/(?:[\w.-]+\+)?json$/i.test(type.trim());
}
