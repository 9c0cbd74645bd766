/**
 * A second instance of the interface of a service: `GET /v2/items?page=3&size=20` answers
 * `{"items": [{"id", "body", "writer"}], "page": 3, "more": true}`.
 *
 * It has no filters, no list of tags, no quote of the day and no votes by key.
 */
import type { Query, ServiceApi } from "../../../src/client/service-api.ts";
import { decodePage } from "../../../src/contract/body.ts";
import { decodeQuote, decodeTag } from "../../../src/contract/decode.ts";

/** The service's page size: it has no other, so that a place has one page. */
export const SIZE = 20;

export const SECOND_API: ServiceApi = {
  root: "/v2",
  paths: { quotes: "/v2/items", quoteOfTheDay: null, tags: null },
  quotes: (_filter, offset) => pageAt(offset),
  tags: (offset) => pageAt(offset),
  quoteOfTheDay: () => ({}),
  readQuotes: (body) => decodePage(asEnvelope(body), (raw) => decodeQuote(asRecord(raw))),
  readTags: (body) => decodePage(body, decodeTag),
  votePath: (operation) => `/v2/items/${operation}`,
};

/** The page that holds a place of the list, and the place at which it begins. */
function pageAt(offset: number): { readonly query: Query; readonly offset: number } {
  const page = Math.floor(offset / SIZE);
  return { query: { page: page + 1, size: SIZE }, offset: page * SIZE };
}

/** Names the end of the list, which the service marks with `more`. */
function asEnvelope(body: unknown): unknown {
  const { items, page, more } = Object(body) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(items) || typeof page !== "number") return body;
  return { results: items, next: more === true ? `/v2/items?offset=${page * SIZE}` : null };
}

function asRecord(raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null) return raw;
  const {
    id: pk,
    body: quote,
    writer: author,
    tongue: language,
    ...rest
  } = raw as Readonly<Record<string, unknown>>;
  return { ...rest, pk, quote, author, language };
}
