/**
 * The relay forwards votes and reports of one site to a service that needs a credential, and nothing else.
 *
 * It uses web standards only, so it runs on Node and on edge hosts. The checks of a request run in order of their cost:
 * its origin, its body, the limits of its network and its address, and the limits of all readers.
 */
import { SERVICE_API, VOTE_OPERATIONS, type VoteOperation } from "../client/service-api.ts";
import { Hono } from "hono";
import type { Rate } from "../util/rate-limit.ts";
import { forward, type Service, type Verdict } from "./forward.ts";
import { createCastVotes } from "./cast-votes.ts";
import { admitted, createLimits, readPk } from "./admission.ts";
import { errorJson } from "../contract/body.ts";

export interface RelayOptions {
  readonly service: Service;
  /** Address of the site whose pages may vote. */
  readonly siteUrl: string;
  /** Limit of votes of one address. */
  readonly perAddress: Rate;
  /** Limit of votes of all readers. */
  readonly total: Rate;
  /** Whether reports are forwarded: with the operator's credential they hide a quote from everyone. */
  readonly reports: boolean;
  /** Returns the address of the client behind trusted proxies. */
  readonly addressOf: (request: Request, env: object) => string;
  /** Texts of the page for readers without JavaScript; `lang` is a BCP 47 tag, `back` the text of the link to the site. */
  readonly words: { readonly lang: string; readonly dir: "ltr" | "rtl"; readonly back: string } & {
    readonly [state in "counted" | "unconfirmed" | "later" | "refused"]: string;
  };
  /** Called with messages for the operator, which never contain the address of a reader or a credential. */
  readonly onFault: (line: string) => void;
  /** Clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

export type Relay = ReturnType<typeof createRelay>;

const REPORTS_PER_ADDRESS: Rate = { requests: 5, seconds: 3_600 };
const REPORTS_TOTAL: Rate = { requests: 50, seconds: 86_400 };

/** Concurrent requests to the service; further ones are answered with 429. */
const MAX_IN_FLIGHT = 64;

/** After these the service counted the vote, or may have. */
const MAY_COUNT: ReadonlySet<number> = new Set([200, 502, 504]);

/** The relay takes votes at the same paths as the service. */
const PATHS = VOTE_OPERATIONS.map(
  (operation) => [SERVICE_API.votePath(operation), operation] as const,
);

export function createRelay(options: RelayOptions) {
  const { service, siteUrl, addressOf, onFault, now = Date.now } = options;
  const { origin } = new URL(siteUrl);
  const votes = createLimits(options.perAddress, options.total);
  const reports = options.reports ? createLimits(REPORTS_PER_ADDRESS, REPORTS_TOTAL) : null;
  /** Numbers of requests since the start, by outcome. */
  const counts = { passedOn: 0, refused: 0, throttled: 0, failed: 0 };
  const cast = createCastVotes(now);
  /** Votes whose outcome is not known yet. */
  const underWay = new Set<string>();
  let notBefore = 0;

  async function judge(request: Request, operation: VoteOperation, env: object): Promise<Verdict> {
    if (!admitted(request.headers, origin)) return { status: 403 };
    const limits = operation === "report" ? reports : votes;
    if (limits === null) return { status: 404 };
    const read = await readPk(request);
    if (!("pk" in read)) return read;
    const address = addressOf(request, env);
    const ownWaitMs = await limits.waitForAddressMs(address);
    if (ownWaitMs > 0) return { status: 429, waitMs: ownWaitMs };
    const vote = await cast.voteOf(address, operation, read.pk);
    if (cast.has(vote)) return { status: 200 };
    const leftMs = notBefore - now();
    if (leftMs > 0) return { status: 429, waitMs: leftMs };
    const name = vote.join();
    if (underWay.size >= MAX_IN_FLIGHT || underWay.has(name)) return { status: 429, waitMs: 1_000 };
    // Before the next `await`: otherwise concurrent requests could all pass the check above.
    underWay.add(name);
    try {
      const waitMs = await limits.waitForTotalMs(address);
      if (waitMs > 0) return { status: 429, waitMs };
      counts.passedOn++;
      const verdict = await forward(service, operation, read.pk, now());
      if (MAY_COUNT.has(verdict.status)) cast.add(vote);
      // The service limits the credential, so the wait holds for all readers.
      if (verdict.waitMs !== undefined) notBefore = Math.max(notBefore, now() + verdict.waitMs);
      if (verdict.fault !== undefined) onFault(verdict.fault);
      return verdict;
    } finally {
      underWay.delete(name);
    }
  }

  /** Counts the outcome of a request and answers it: with JSON for a script, with a page of one line for a person. */
  function settle({ status, waitMs = 0 }: Verdict, { headers: sent }: Request): Response {
    if (status === 429) counts.throttled++;
    else if (status >= 500) counts.failed++;
    else if (status >= 400) counts.refused++;
    const isPerson = sent.get("Sec-Fetch-Mode") === "navigate" && status !== 403;
    const headers = new Headers({
      "Content-Type": isPerson ? "text/html; charset=utf-8" : "application/json",
      "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Vary: "Origin",
    });
    if (sent.get("Origin") === origin) {
      headers.set("Access-Control-Allow-Origin", origin);
      headers.set("Access-Control-Expose-Headers", "Retry-After");
    }
    if (status === 405) headers.set("Allow", "POST");
    if (waitMs > 0) headers.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
    const json = status === 200 ? "{}" : errorJson(status);
    return new Response(isPerson ? pageOf(status) : json, { status, headers });
  }

  function pageOf(status: Verdict["status"]): string {
    const { lang, dir, back, counted, unconfirmed, later, refused } = options.words;
    let text = status === 429 || status >= 500 ? later : refused;
    if (status === 200) text = counted;
    if (status === 502 || status === 504) text = unconfirmed;
    return `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><p>${text}</p><p><a href="${encodeURI(siteUrl)}">${back}</a></p></html>`;
  }

  const app = new Hono<{ Bindings: object }>();
  app.use(async (c, next) => (isAsSent(c.req.raw, c.env) ? next() : c.notFound()));
  for (const [path, operation] of PATHS) {
    app.post(path, async (c) => settle(await judge(c.req.raw, operation, c.env), c.req.raw));
    app.all(path, (c) => settle({ status: 405 }, c.req.raw));
  }
  app.notFound((c) => settle({ status: 404 }, c.req.raw));
  app.onError((error, c) => {
    // The client closed the connection while it sent the body.
    if (c.req.raw.signal.aborted) return settle({ status: 400 }, c.req.raw);
    onFault(error.stack ?? error.message);
    return settle({ status: 500 }, c.req.raw);
  });
  return { counts, fetch: (request: Request, env?: object) => app.fetch(request, env) };
}

/**
 * Whether the path of a request is one of the relay's letter by letter, as a proxy in front sees it: a rule there for
 * `…/report/` would else be passed by as `…/upvote/../report/` or `…/%72eport/`.
 *
 * @param env on Node it has the request as it came; a `Request` has its path resolved
 */
function isAsSent(
  { url }: Request,
  env?: { readonly incoming?: { readonly url?: string } },
): boolean {
  const [sent = ""] = (env?.incoming?.url ?? new URL(url).pathname).split("?", 1);
  return PATHS.some(([path]) => path === sent);
}
