/** The operations on one quote: the quote of the day, votes and reports. */
import { answer, failure } from "../http/answers.ts";
import { allowedBy, type Handler } from "../http/endpoint.ts";
import { targetOf, valueOf } from "../http/parameters.ts";
import { readPk } from "../http/pk.ts";
import { wireJson } from "../store/held-quote.ts";
import type { Store } from "../store/store.ts";
import { readFilter } from "./filter.ts";

/** `GET /apiv1/qod/`: the same quote until midnight UTC for the same parameters; 404 when no quote fits them. */
export function quoteOfDay(store: Store, publicUrl: string): Handler {
  const allow = { Allow: allowedBy("GET") };
  return (c) => {
    const { parameters } = targetOf(c.req.url);
    const asked = ["curated", "lang", "language"];
    const filter = readFilter((name) => (asked.includes(name) ? valueOf(parameters, name) : ""));
    if (filter === null) return failure(400, allow);
    const quote = store.ofDay(filter.curated, filter.language ?? "");
    return quote === undefined ? failure(404, allow) : answer(wireJson(quote, publicUrl), allow);
  };
}

/** `POST /apiv1/upvote/` and `/apiv1/downvote/`: answered with the likes after the vote, once that is on disk. */
export function vote(store: Store, step: 1 | -1): Handler {
  return onQuote(async (pk) => {
    const likes = await store.vote(pk, step);
    return likes === null ? null : { pk, likes };
  });
}

/** `POST /apiv1/report/`: the quote is in no later answer. */
export function report(store: Store): Handler {
  return onQuote(async (pk) => ((await store.report(pk)) ? { pk } : null));
}

/** Does something to the quote that the body names; 404 when `act` finds none. */
function onQuote(act: (pk: number) => Promise<object | null>): Handler {
  // A browser sends a POST again by itself when a connection that it reuses dies: so none is reused.
  const allow = { Allow: allowedBy("POST"), Connection: "close" };
  return async (c) => {
    const read = await readPk(c.req.raw);
    if ("status" in read) return failure(read.status, allow);
    const done = await act(read.pk);
    return done === null ? failure(404, allow) : answer(JSON.stringify(done), allow);
  };
}
