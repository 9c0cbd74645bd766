/** Reads the parameters and the body of a request, and builds the links between pages. */
import { HTTPException } from "hono/http-exception";
import { MAX_PK } from "../contract/quote.ts";

/**
 * Reads the parameters of a request, in its query or in its path: `…/quotes/curated=1&language=en`.
 *
 * @see docs/contract.md, section 4.1
 */
export function readParameters(url: string): URLSearchParams {
  const { pathname, search } = new URL(url);
  const last = pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  return new URLSearchParams(`${last.includes("=") ? last : ""}&${search.slice(1)}`);
}

/** Reads a parameter: its last value where it is repeated, an empty text where it is absent. */
export function readValue(parameters: URLSearchParams, name: string): string {
  return parameters.getAll(name).at(-1) ?? "";
}

export interface Paging {
  /** Items in a page without a valid `limit`. */
  readonly pageSize: number;
  /** A larger `limit` is clamped to this. */
  readonly maxLimit: number;
}

/** Reads `limit` and `offset`. Invalid values are never refused: they become the page size and 0. */
export function readWindow(parameters: URLSearchParams, paging: Paging) {
  const limit = wholeNumber(readValue(parameters, "limit"));
  const offset = wholeNumber(readValue(parameters, "offset"));
  return {
    limit: limit === null || limit === 0 ? paging.pageSize : Math.min(limit, paging.maxLimit),
    offset: offset ?? 0,
  };
}

/** More than any collection has, and still exact when a page size is added. */
const LARGEST = 2 ** 52;

function wholeNumber(text: string): number | null {
  return /^\s*\+?\d+\s*$/.test(text) ? Math.min(Number(text), LARGEST) : null;
}

/**
 * Builds `next` and `previous` as Django REST Framework does: absolute, with parameters sorted by name, with repeated and
 * blank ones, with commas as `%2C`, and without an offset in `previous` of the second page.
 *
 * @param address address of the list without parameters; it must not come from the request's Host
 * @param more whether items follow this page
 */
export function buildLinks(
  address: string,
  parameters: URLSearchParams,
  { limit, offset }: ReturnType<typeof readWindow>,
  more: boolean,
) {
  const at = (start: number): string => {
    const query = new URLSearchParams(parameters);
    query.set("limit", String(limit));
    query.delete("offset");
    if (start > 0) query.set("offset", String(start));
    query.sort();
    // Python's `urllib.parse.quote_plus` escapes `*` and leaves `~`.
    return `${address}?${query.toString().replaceAll("*", "%2A").replaceAll("%7E", "~")}`;
  };
  return {
    next: more ? at(offset + limit) : null,
    previous: offset === 0 ? null : at(Math.max(0, offset - limit)),
  };
}

/** Media types that a POST may have. */
export const MEDIA_TYPES: readonly string[] = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
];

/**
 * Reads the pk of the body; one in the address does not count (docs/contract.md, section 4.4: "a POST parameter").
 *
 * @throws {HTTPException} 400, 413 or 415
 */
export async function readPk(request: Request): Promise<number> {
  const type = request.headers.get("Content-Type") ?? "";
  const mediaType = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  const body = await readBody(request);
  if (!MEDIA_TYPES.includes(mediaType)) {
    throw new HTTPException(type === "" && body.length === 0 ? 400 : 415);
  }
  const sent = new Response(body, { headers: { "Content-Type": type } });
  const value = await pkOf(sent, mediaType === "application/json");
  const pk = typeof value === "string" && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
  const isPk = typeof pk === "number" && Number.isInteger(pk) && pk >= 1 && pk <= MAX_PK;
  if (!isPk) throw new HTTPException(400);
  return pk;
}

/** Reads the last `pk` of a body, of any type; undefined where there is none, or the body does not match its media type. */
async function pkOf(sent: Response, isJson: boolean): Promise<unknown> {
  try {
    if (!isJson) return (await sent.formData()).getAll("pk").at(-1);
    const value: unknown = await sent.json();
    return typeof value === "object" && value !== null && "pk" in value ? value.pk : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A body of the contract needs less than a hundred bytes. */
const MAX_BODY_BYTES = 4 * 1024;

/**
 * Reads a body up to the limit. Bytes are counted on arrival, since a chunked body has no `Content-Length`. (hono's
 * `bodyLimit` would replace the global Request of the process.)
 */
async function readBody(request: Request): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get("Content-Length")) > MAX_BODY_BYTES) throw new HTTPException(413);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new HTTPException(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
