/**
 * What a request asks for, and the links to the pages around its own.
 *
 * Parameters are read from the raw address.
 * The reference shows a form with the parameters straight after the path, `/apiv1/quotes/curated=1&language=en`
 * (contract, section 4.1); both forms are read as one.
 */
import { MAX_PK } from "../contract/quote.ts";

export interface Target {
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly parameters: URLSearchParams;
}

/** Splits an absolute address; pairs after the path's last slash join the query. */
export function targetOf(url: string): Target {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const [whole = "/"] = (start === -1 ? "/" : url.slice(start)).split("#", 1);
  const mark = whole.indexOf("?");
  const path = mark === -1 ? whole : whole.slice(0, mark);
  const query = mark === -1 ? "" : whole.slice(mark + 1);
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  const cut = path.lastIndexOf("/", end - 1) + 1;
  const pairs = path.slice(cut, end);
  return pairs.includes("=")
    ? { path: path.slice(0, cut), parameters: new URLSearchParams(`${pairs}&${query}`) }
    : { path, parameters: new URLSearchParams(query) };
}

/** The value that counts: the last one, where a parameter is repeated; empty where it is absent. */
export function valueOf(parameters: URLSearchParams, name: string): string {
  return parameters.getAll(name).at(-1) ?? "";
}

/** How pages are cut. */
export interface Paging {
  /** Items in a page when none, or no usable number, is asked for. */
  readonly pageSize: number;
  /** A larger `limit` is clamped to this without a word. */
  readonly maxLimit: number;
}

export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** `limit` and `offset` as asked for. Neither is ever refused: junk falls back to the page size and to 0. */
export function windowOf(parameters: URLSearchParams, paging: Paging): Window {
  const limit = wholeNumber(valueOf(parameters, "limit"));
  const offset = wholeNumber(valueOf(parameters, "offset"));
  return {
    limit: limit === null || limit === 0 ? paging.pageSize : Math.min(limit, paging.maxLimit),
    offset: offset ?? 0,
  };
}

/** Beyond any collection, and still exact when a page is added to it. */
const LARGEST = 2 ** 52;

function wholeNumber(text: string): number | null {
  return /^\s*\+?\d+\s*$/.test(text) ? Math.min(Number(text), LARGEST) : null;
}

export interface Links {
  readonly next: string | null;
  readonly previous: string | null;
}

/**
 * `next` and `previous`, written as Django REST Framework writes them: absolute, parameters sorted by name, repeated
 * and blank ones kept, commas as `%2C`; `previous` of the second page names no offset.
 *
 * @param address of the list, without parameters: built from the configured address, never from the request's Host
 * @param more whether items follow this page
 */
export function linksOf(
  address: string,
  parameters: URLSearchParams,
  { limit, offset }: Window,
  more: boolean,
): Links {
  const at = (start: number | null): string => `${address}?${queryAt(parameters, limit, start)}`;
  return {
    next: more ? at(offset + limit) : null,
    previous: offset === 0 ? null : at(offset > limit ? offset - limit : null),
  };
}

function queryAt(parameters: URLSearchParams, limit: number, offset: number | null): string {
  const pairs = [...parameters].filter(([name]) => name !== "limit" && name !== "offset");
  pairs.push(["limit", String(limit)]);
  if (offset !== null) pairs.push(["offset", String(offset)]);
  return pairs
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([name, value]) => `${quotePlus(name)}=${quotePlus(value)}`)
    .join("&");
}

/** Python's `urllib.parse.quote_plus`, which is stricter than `encodeURIComponent`. */
function quotePlus(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

/** The pk, or the status to answer with because there is none. */
export type PkRead = { readonly pk: number } | { readonly status: 400 | 413 | 415 };

/** Reads the body; a pk in the address does not count (contract, section 4.4: "a POST parameter"). */
export async function readPk(request: Request): Promise<PkRead> {
  const type = request.headers.get("Content-Type") ?? "";
  const read = READERS[(type.split(";", 1)[0] ?? "").trim().toLowerCase()];
  const body = await readBody(request);
  if (body === null) return { status: 413 };
  if (read === undefined) return { status: type === "" && body.length === 0 ? 400 : 415 };
  const pk = toPk(await read(body, type));
  return pk === null ? { status: 400 } : { pk };
}

type Reader = (body: Buffer<ArrayBuffer>, type: string) => unknown;

/** By media type: the value of the last `pk`, whatever it is. */
const READERS: Readonly<Record<string, Reader>> = {
  "application/x-www-form-urlencoded": (body) =>
    new URLSearchParams(body.toString()).getAll("pk").at(-1),
  "multipart/form-data": (body, type) =>
    attempt(async () => {
      const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
      return form.getAll("pk").at(-1);
    }, TypeError),
  "application/json": async (body) => {
    const value = await attempt(() => JSON.parse(body.toString()) as unknown, SyntaxError);
    return typeof value === "object" && value !== null && "pk" in value ? value.pk : undefined;
  },
};

/** What `read` gives; nothing where it throws the error by which it says that the client sent something else. */
async function attempt(
  read: () => unknown,
  complaint: typeof SyntaxError | typeof TypeError,
): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof complaint) return undefined;
    throw error;
  }
}

function toPk(value: unknown): number | null {
  const pk = typeof value === "string" && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
  return typeof pk === "number" && Number.isInteger(pk) && pk >= 1 && pk <= MAX_PK ? pk : null;
}

/** No body of the contract needs more than a few dozen bytes. */
const MAX_BODY_BYTES = 4 * 1024;

/**
 * The bytes of a body; null when there are more than the limit, the rest being left unread. They are counted while they
 * arrive, since a chunked body announces no length. (hono's own limit replaces the process's global Request.)
 */
async function readBody(request: Request): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_BODY_BYTES) return null;
  const reader = request.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(value);
  }
}
