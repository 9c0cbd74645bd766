/**
 * `next` and `previous`, written as Django REST Framework writes them: absolute, parameters sorted by name, repeated
 * and blank ones kept, commas as `%2C`; `previous` of the second page names no offset.
 */
import type { Window } from "./parameters.ts";

export interface Links {
  readonly next: string | null;
  readonly previous: string | null;
}

/**
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
