/**
 * What a request asks for: its parameters, read from the raw address.
 *
 * The reference shows a form with the parameters straight after the path, `/apiv1/quotes/curated=1&language=en`
 * (contract, section 4.1); both forms are read as one.
 */

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
