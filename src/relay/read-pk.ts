/** The `pk` that a vote names: one field of a form, and a body no longer than that takes. */
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
