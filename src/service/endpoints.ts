/**
 * The endpoints of the contract (section 4), each with `HEAD`, `OPTIONS`, 405, and a redirect for the missing slash.
 *
 * As in Django, an address without the trailing slash redirects every method with 301. A client that follows the redirect of
 * a POST sends a GET and loses the vote. Clients are tested against that.
 */
import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { SERVICE_API } from "../client/service-api.ts";
import type { ErrorStatus } from "../contract/body.ts";
import {
  buildLinks,
  MEDIA_TYPES,
  readPk,
  readParameters,
  readWindow,
  type Paging,
} from "./request.ts";
import { answer, failure } from "../http/answers.ts";
import { readFilter } from "./filter.ts";
import { toWireJson } from "./quote.ts";
import type { Store } from "./store.ts";

export interface Collection {
  readonly store: Store;
  readonly paging: Paging;
  /** The configured address, without a trailing slash. */
  readonly publicUrl: string;
}

/** Returns JSON, or throws an `HTTPException` with a status of the contract. */
type Handler = (request: Request) => string | Promise<string>;

const { paths, votePath } = SERVICE_API;
const QUOTES = paths.quotes;
const TAGS = paths.tags;

const ALLOW = {
  GET: { Allow: "GET, HEAD, OPTIONS" },
  // A browser repeats a POST by itself when a reused connection dies, so connections of a POST are not reused.
  POST: { Allow: "POST, OPTIONS", Connection: "close" },
} as const;

export function mountEndpoints(app: Hono, { store, paging, publicUrl }: Collection): void {
  mount("GET", QUOTES, "List quotes", listQuotes);
  // The contract also allows parameters in the path (section 4.1).
  mount("GET", `${QUOTES}:pairs{[^/=]*=[^/]*/?}`, "List quotes", listQuotes);
  mount("GET", paths.quoteOfTheDay, "Quote of the day", quoteOfDay);
  mount("GET", TAGS, "List tags", listTags);
  mount("POST", votePath("upvote"), "Upvote", vote(1));
  mount("POST", votePath("downvote"), "Downvote", vote(-1));
  const report = onQuote((pk) => (store.report(pk) ? { pk } : null));
  mount("POST", votePath("report"), "Report", report);

  function mount(method: "GET" | "POST", path: string, name: string, handle: Handler): void {
    const { Allow } = ALLOW[method];
    const renders = ["application/json"];
    const options = JSON.stringify({ name, renders, parses: method === "POST" ? MEDIA_TYPES : [] });
    // The router also calls the GET handler for HEAD, and drops the body.
    app.on(method, path, async (c) => {
      try {
        return answer(await handle(c.req.raw), ALLOW[method]);
      } catch (error) {
        if (!(error instanceof HTTPException)) throw error;
        return failure(error.status as ErrorStatus, ALLOW[method]);
      }
    });
    app.options(path, () => answer(options, { Allow }));
    app.all(path, () => failure(405, { Allow }));
    app.all(path.replace(/\/$/, ""), (c) => {
      const headers = { Location: path + new URL(c.req.url).search, "Content-Length": "0" };
      return new Response(null, { status: 301, headers });
    });
  }

  /** Lists quotes, without a total (docs/contract.md, section 2). */
  function listQuotes({ url }: Request): string {
    const parameters = readParameters(url);
    const filter = readFilter(parameters);
    const window = readWindow(parameters, paging);
    const { rows, more } = store.page(filter, window.offset, window.limit);
    const links = JSON.stringify(buildLinks(publicUrl + QUOTES, parameters, window, more));
    const results = rows.map((row) => toWireJson(row, publicUrl)).join(",");
    return `${links.slice(0, -1)},"results":[${results}]}`;
  }

  function listTags({ url }: Request): string {
    const parameters = readParameters(url);
    const window = readWindow(parameters, paging);
    const { rows, more, count } = store.tags(window.offset, window.limit);
    const links = buildLinks(publicUrl + TAGS, parameters, window, more);
    return JSON.stringify({ count, ...links, results: rows });
  }

  /** Returns the same quote until midnight UTC for the same parameters; 404 when no quote matches. */
  function quoteOfDay({ url }: Request): string {
    const filter = readFilter(readParameters(url), ["curated", "lang", "language"]);
    const quote = store.quoteOfDay(filter.curated, filter.language ?? "");
    if (quote === undefined) throw new HTTPException(404);
    return toWireJson(quote, publicUrl);
  }

  /** Counts a vote and returns the likes after it, once they are on disk. */
  function vote(step: 1 | -1): Handler {
    return onQuote((pk) => {
      const likes = store.vote(pk, step);
      return likes === null ? null : { pk, likes };
    });
  }

  /** Calls `act` for the quote that the body names; 404 when it returns null. */
  function onQuote(act: (pk: number) => object | null): Handler {
    return async (request) => {
      const done = act(await readPk(request));
      if (done === null) throw new HTTPException(404);
      return JSON.stringify(done);
    };
  }
}
