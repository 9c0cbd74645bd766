/**
 * The endpoints of the contract (section 4), and all that each does with a method: answers, `HEAD`, `OPTIONS`, 405, and
 * the missing slash.
 *
 * Without the trailing slash the answer is 301 whatever the method, as Django gives it; a client that follows it turns
 * a POST into a GET and loses the vote, which is exactly what a client must be tested against.
 */
import type { Context, Env, Hono } from "hono";
import { answer, failure } from "./answers.ts";
import { readFilter } from "./filter.ts";
import { wireJson } from "./quote.ts";
import { linksOf, readPk, targetOf, valueOf, windowOf, type Paging } from "./request.ts";
import type { Store } from "./store.ts";

export interface Collection {
  readonly store: Store;
  readonly paging: Paging;
  /** The configured address, without a slash at its end. */
  readonly publicUrl: string;
}

type Handler = (c: Context<Env, string>) => Response | Promise<Response>;

/** Media types that a POST may have. */
const PARSES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
] as const;

const ALLOW = {
  GET: { Allow: "GET, HEAD, OPTIONS" },
  // A browser sends a POST again by itself when a connection that it reuses dies: so none is reused.
  POST: { Allow: "POST, OPTIONS", Connection: "close" },
} as const;

export function mountEndpoints(app: Hono, collection: Collection): void {
  const { store } = collection;
  const mount = (method: "GET" | "POST", path: string, name: string, handle: Handler): void => {
    const { Allow } = ALLOW[method];
    const renders = ["application/json"];
    const options = JSON.stringify({ name, renders, parses: method === "POST" ? PARSES : [] });
    // The router gives HEAD to GET's handler and drops the body.
    app.on(method, path, handle);
    app.options(path, () => answer(options, { Allow }));
    app.all(path, () => failure(405, { Allow }));
    app.all(path.replace(/\/$/, ""), (c) => {
      const headers = { Location: path + new URL(c.req.url).search, "Content-Length": "0" };
      return new Response(null, { status: 301, headers });
    });
  };
  mount("GET", "/apiv1/quotes/", "List quotes", listQuotes(collection));
  // The reference shows the parameters straight after the path, too.
  mount("GET", "/apiv1/quotes/:pairs{[^/=]*=[^/]*/?}", "List quotes", listQuotes(collection));
  mount("GET", "/apiv1/qod/", "Quote of the day", quoteOfDay(collection));
  mount("GET", "/apiv1/tags/", "List tags", listTags(collection));
  mount("POST", "/apiv1/upvote/", "Upvote", vote(store, 1));
  mount("POST", "/apiv1/downvote/", "Downvote", vote(store, -1));
  mount(
    "POST",
    "/apiv1/report/",
    "Report",
    onQuote((pk) => (store.report(pk) ? { pk } : null)),
  );
}

/** Quotes, without a total (contract, section 2). */
function listQuotes({ store, paging, publicUrl }: Collection): Handler {
  return (c) => {
    const { path, parameters } = targetOf(c.req.url);
    const filter = readFilter((name) => valueOf(parameters, name));
    if (filter === null) return failure(400, ALLOW.GET);
    const window = windowOf(parameters, paging);
    const { rows, more } = store.page(filter, window.offset, window.limit);
    const links = JSON.stringify(linksOf(publicUrl + path, parameters, window, more));
    const results = rows.map((row) => wireJson(row, publicUrl)).join(",");
    return answer(`${links.slice(0, -1)},"results":[${results}]}`, ALLOW.GET);
  };
}

/** Tags, with a total. */
function listTags({ store, paging, publicUrl }: Collection): Handler {
  return (c) => {
    const { path, parameters } = targetOf(c.req.url);
    const window = windowOf(parameters, paging);
    const { rows, more, count } = store.tags(window.offset, window.limit);
    const links = linksOf(publicUrl + path, parameters, window, more);
    return answer(JSON.stringify({ count, ...links, results: rows }), ALLOW.GET);
  };
}

/** The same quote until midnight UTC for the same parameters; 404 when no quote fits them. */
function quoteOfDay({ store, publicUrl }: Collection): Handler {
  return (c) => {
    const { parameters } = targetOf(c.req.url);
    const asked = ["curated", "lang", "language"];
    const filter = readFilter((name) => (asked.includes(name) ? valueOf(parameters, name) : ""));
    if (filter === null) return failure(400, ALLOW.GET);
    const quote = store.ofDay(filter.curated, filter.language ?? "");
    if (quote === undefined) return failure(404, ALLOW.GET);
    return answer(wireJson(quote, publicUrl), ALLOW.GET);
  };
}

/** Answers with the likes after the vote, once that is on disk. */
function vote(store: Store, step: 1 | -1): Handler {
  return onQuote((pk) => {
    const likes = store.vote(pk, step);
    return likes === null ? null : { pk, likes };
  });
}

/** Does something to the quote that the body names; 404 when `act` finds none. */
function onQuote(act: (pk: number) => object | null): Handler {
  return async (c) => {
    const read = await readPk(c.req.raw);
    if ("status" in read) return failure(read.status, ALLOW.POST);
    const done = act(read.pk);
    return done === null ? failure(404, ALLOW.POST) : answer(JSON.stringify(done), ALLOW.POST);
  };
}
