/** What a request must be like: from a page of the site, and one field of a form. */
import { MAX_PK } from "../contract/quote.ts";

/** `pk=` and sixteen digits are 19 bytes; the rest is room for fields that others add. */
const MAX_BODY_BYTES = 256;

export type PkRead = { readonly pk: number } | { readonly status: 400 | 411 | 413 | 415 };

export async function readPk(request: Request): Promise<PkRead> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return { status: 415 };
  // Browsers always give it, and HTTP parsers hold the body to it: nothing larger is ever read.
  const length = request.headers.get("Content-Length");
  if (length === null) return { status: 411 };
  if (Number(length) > MAX_BODY_BYTES) return { status: 413 };
  const [text, ...others] = new URLSearchParams(await request.text()).getAll("pk");
  if (text === undefined || others.length > 0 || !/^[1-9]\d{0,15}$/.test(text)) {
    return { status: 400 };
  }
  const pk = Number(text);
  return pk <= MAX_PK ? { pk } : { status: 400 };
}

/**
 * Whether a request comes from a page of the site and, where the browser can tell, from a person's act.
 *
 * This keeps other sites' pages out. A program can claim any origin: against those there are the limits.
 *
 * @param site origin of the site
 * @see Fetch Metadata Request Headers, W3C
 */
export function admitted(headers: Headers, site: string): boolean {
  if (headers.get("Origin") !== site) return false;
  const from = headers.get("Sec-Fetch-Site");
  // Browsers of before 2023 say nothing of this; their Origin is true all the same.
  if (from === null) return true;
  if (from === "none") return false;
  const mode = headers.get("Sec-Fetch-Mode");
  const target = headers.get("Sec-Fetch-Dest");
  if (mode === "cors") return target === "empty";
  // A form without JavaScript: in a window of its own, after a click.
  return mode === "navigate" && target === "document" && headers.get("Sec-Fetch-User") === "?1";
}
