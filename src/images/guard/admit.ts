/**
 * The first half of the guard: what an address says about itself, before anything is looked up.
 *
 * `URL` has already turned `0x7f.1`, `2130706433` and `１２７.０.０.１` into 127.0.0.1 when the host is judged. The second half
 * judges what a name resolves to, when it is connected to.
 */
import { isIP } from "node:net";
import { forbiddenKind } from "./ranges.ts";

export interface GuardPolicy {
  /** Origin of the quotes service, such as `http://127.0.0.1:8080`: allowed wherever it lives. Null for none. */
  readonly ownOrigin: string | null;
  /** Ports that may be asked for; the ports of the web alone reach no database or printer. */
  readonly ports: readonly number[];
}

/** The ports of http and https. */
export const WEB_PORTS: readonly number[] = [80, 443];

export type Admission =
  | { readonly ok: true; readonly url: URL; readonly own: boolean }
  | {
      readonly ok: false;
      readonly reason: "not-an-address" | "forbidden-address";
      readonly detail: string;
    };

/** Names that mean this machine or its surroundings (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|arpa|onion|alt)$/;

/**
 * Decides whether an address may be asked for at all.
 *
 * @param text the address as a quote or a `Location` gives it
 * @param base the address that redirected here; null for the first
 * @param stayedOwn whether every hop so far was on our own origin: once left, it cannot be come back to, so that no
 *   stranger can aim us at the service
 */
export function admit(
  text: string,
  base: URL | null,
  stayedOwn: boolean,
  policy: GuardPolicy,
): Admission {
  const url = URL.parse(text, base ?? undefined);
  if (url === null) return { ok: false, reason: "not-an-address", detail: "it cannot be read" };
  const own = stayedOwn && policy.ownOrigin !== null && url.origin === policy.ownOrigin;
  const detail = refusal(url, own, policy);
  if (detail !== null) return { ok: false, reason: "forbidden-address", detail };
  url.hash = "";
  return { ok: true, url, own };
}

function refusal(url: URL, own: boolean, policy: GuardPolicy): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return `${url.protocol.slice(0, 20)} is not http or https`;
  }
  if (url.username + url.password !== "") return "it carries credentials";
  if (own) return null;
  const port = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port);
  if (!policy.ports.includes(port)) return `port ${port} is not of the web`;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  if (isIP(host) !== 0) {
    const kind = forbiddenKind(host);
    return kind === null ? null : `${host} is ${kind}`;
  }
  if (!host.includes(".") || LOCAL_NAME.test(host)) return "its name is a local one";
  return null;
}
