/**
 * The relay: passes votes and reports of one site on to a service that needs a credential, and nothing else.
 *
 * Web standards only, so it runs on Node and on edge hosts alike. Every request passes the same gates in order of their
 * cost: where it comes from, who sends it how often, what it says, and how much the service can bear.
 */
import { Hono } from "hono";
import type { Rate } from "../contract/rate.ts";
import { forward, type Service, type Verdict } from "./forward.ts";
import { admitted, createLimits, readPk } from "./admission.ts";
import { errorJson } from "../contract/body.ts";

export interface RelayOptions {
  readonly service: Service;
  /** The site whose pages may vote: its address, of which the origin counts. */
  readonly siteUrl: string;
  /** Votes of one address, and of all readers. */
  readonly perAddress: Rate;
  readonly total: Rate;
  /** Whether reports are passed on: they hide a quote from everyone, with the operator's credential. */
  readonly reports: boolean;
  /** Address of the client, behind the proxies that are believed. */
  readonly addressOf: (request: Request, env: object) => string;
  /** What a person without JavaScript reads, in the language of the site: its tag in BCP 47, and what links back to the site. */
  readonly words: { readonly lang: string; readonly dir: "ltr" | "rtl"; readonly back: string } & {
    readonly [state in "counted" | "unconfirmed" | "later" | "refused"]: string;
  };
  /** Called with what the operator should know; no address and no credential is ever in it. */
  readonly onFault: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export type Relay = ReturnType<typeof createRelay>;

const REPORTS_PER_ADDRESS: Rate = { requests: 5, seconds: 3_600 };
const REPORTS_IN_ALL: Rate = { requests: 50, seconds: 86_400 };

/** Requests to the service at one time; more are answered 429. */
const MOST_IN_FLIGHT = 64;

const OPERATIONS = "/apiv1/:operation{upvote|downvote|report}/";

export function createRelay(options: RelayOptions) {
  const { service, siteUrl, addressOf, onFault, now = Date.now } = options;
  const { origin } = new URL(siteUrl);
  const votes = createLimits(options.perAddress, options.total);
  const reports = options.reports ? createLimits(REPORTS_PER_ADDRESS, REPORTS_IN_ALL) : null;
  /** Requests since the start, by what became of them. */
  const counts = { passedOn: 0, refused: 0, throttled: 0, failed: 0 };
  let notBefore = 0;
  let inFlight = 0;

  async function judge(request: Request, operation: string, env: object): Promise<Verdict> {
    if (!admitted(request.headers, origin)) return { status: 403 };
    const limits = operation === "report" ? reports : votes;
    if (limits === null) return { status: 404 };
    const address = addressOf(request, env);
    const ownWaitMs = await limits.ask(address);
    if (ownWaitMs > 0) return { status: 429, waitMs: ownWaitMs };
    const read = await readPk(request);
    if (!("pk" in read)) return read;
    const leftMs = notBefore - now();
    if (leftMs > 0) return { status: 429, waitMs: leftMs };
    if (inFlight >= MOST_IN_FLIGHT) return { status: 429, waitMs: 1_000 };
    // Before anything is waited for: requests that come together must not all find room.
    inFlight++;
    try {
      const waitMs = await limits.passOn(address);
      if (waitMs > 0) return { status: 429, waitMs };
      counts.passedOn++;
      const verdict = await forward(service, operation, read.pk, now());
      // One refusal stops all: the service counts the credential, not the reader.
      if (verdict.waitMs !== undefined) notBefore = Math.max(notBefore, now() + verdict.waitMs);
      if (verdict.fault !== undefined) onFault(verdict.fault);
      return verdict;
    } finally {
      inFlight--;
    }
  }

  /** Counts what became of a request, and answers it: `{}` or an error of the contract, or a page of one line for a person. */
  function settle({ status, waitMs = 0 }: Verdict, { headers: asked }: Request): Response {
    if (status === 429) counts.throttled++;
    else if (status >= 500) counts.failed++;
    else if (status >= 400) counts.refused++;
    const person = asked.get("Sec-Fetch-Mode") === "navigate" && status !== 403;
    const headers = new Headers({
      "Content-Type": person ? "text/html; charset=utf-8" : "application/json",
      "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Vary: "Origin",
    });
    if (asked.get("Origin") === origin) {
      headers.set("Access-Control-Allow-Origin", origin);
      headers.set("Access-Control-Expose-Headers", "Retry-After");
    }
    if (status === 405) headers.set("Allow", "POST");
    if (waitMs > 0) headers.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
    const json = status === 200 ? "{}" : errorJson(status);
    return new Response(person ? pageOf(status) : json, { status, headers });
  }

  function pageOf(status: Verdict["status"]): string {
    const { lang, dir, back, counted, unconfirmed, later, refused } = options.words;
    let text = status === 429 || status >= 500 ? later : refused;
    if (status === 200) text = counted;
    if (status === 502 || status === 504) text = unconfirmed;
    return `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><p>${text}</p><p><a href="${encodeURI(siteUrl)}">${back}</a></p></html>`;
  }

  const app = new Hono<{ Bindings: object }>();
  app.post(OPERATIONS, async (c) =>
    settle(await judge(c.req.raw, c.req.param("operation"), c.env), c.req.raw),
  );
  app.all(OPERATIONS, (c) => settle({ status: 405 }, c.req.raw));
  app.notFound((c) => settle({ status: 404 }, c.req.raw));
  app.onError((error, c) => {
    // The client hung up in the middle of the body: there is no one to answer.
    if (c.req.raw.signal.aborted) return settle({ status: 400 }, c.req.raw);
    onFault(error.stack ?? error.message);
    return settle({ status: 500 }, c.req.raw);
  });
  return { counts, fetch: (request: Request, env?: object) => app.fetch(request, env) };
}
