/** The two lists: quotes, which tells no total, and tags, which does (contract, section 2). */
import { answer, failure } from "../http/answers.ts";
import { allowedBy, type Handler } from "../http/endpoint.ts";
import { linksOf } from "../http/links.ts";
import { targetOf, valueOf, windowOf, type Paging } from "../http/parameters.ts";
import { wireJson } from "../store/held-quote.ts";
import type { Store } from "../store/store.ts";
import { readFilter } from "./filter.ts";

const ALLOW = { Allow: allowedBy("GET") };

export interface ListContext {
  readonly store: Store;
  readonly paging: Paging;
  /** The configured address, without a slash at its end. */
  readonly publicUrl: string;
}

/** `GET /apiv1/quotes/` */
export function listQuotes({ store, paging, publicUrl }: ListContext): Handler {
  return (c) => {
    const { path, parameters } = targetOf(c.req.url);
    const filter = readFilter((name) => valueOf(parameters, name));
    if (filter === null) return failure(400, ALLOW);
    const window = windowOf(parameters, paging);
    const { rows, more } = store.page(filter, window.offset, window.limit);
    const { next, previous } = linksOf(publicUrl + path, parameters, window, more);
    const results = rows.map((row) => wireJson(row, publicUrl)).join(",");
    return answer(
      `{"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${results}]}`,
      ALLOW,
    );
  };
}

/** `GET /apiv1/tags/` */
export function listTags({ store, paging, publicUrl }: ListContext): Handler {
  return (c) => {
    const { path, parameters } = targetOf(c.req.url);
    const window = windowOf(parameters, paging);
    const { rows, more, count } = store.tags(window.offset, window.limit);
    const links = linksOf(publicUrl + path, parameters, window, more);
    return answer(JSON.stringify({ count, ...links, results: rows }), ALLOW);
  };
}
