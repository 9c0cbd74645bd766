/**
 * The relay: passes votes and reports of one site on to a service that needs a credential, and nothing else.
 *
 * Web standards only, so it runs on Node and on edge hosts alike. Every request passes the same gates in order of their
 * cost: where it comes from, who sends it how often, what it says, and how much the service can bear.
 */
import { Hono } from "hono";
import { Answers, type Words } from "./answers.ts";
import { admitted } from "./admitted.ts";
import { forward, type Service, type Verdict } from "./forward.ts";
import { Limits, type Rate } from "./limit/limits.ts";
import { readPk } from "./read-pk.ts";

export interface RelayOptions {
  readonly service: Service;
  /** The site whose pages may vote: its address, of which the origin counts. */
  readonly siteUrl: string;
  readonly perAddress: Rate;
  readonly total: Rate;
  /** Where a request comes from, whatever proxies stand between. */
  readonly addressOf: (request: Request, env: object) => string;
  /** What a person without JavaScript is told. */
  readonly words: Words;
  /** Told what the operator should know; no address and no credential is ever in it. */
  readonly onFault: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Requests since the start, by what became of them. */
export interface RelayCounts {
  passedOn: number;
  refused: number;
  throttled: number;
  failed: number;
}

export interface Relay {
  fetch(request: Request, env?: object): Response | Promise<Response>;
  readonly counts: Readonly<RelayCounts>;
}

/** Votes on their way to the service at one time; more are asked to come back. */
const MOST_IN_FLIGHT = 64;

const OPERATIONS = "/apiv1/:operation{upvote|downvote|report}/";

export function createRelay(options: RelayOptions): Relay {
  const { service, perAddress, total, addressOf, onFault, now = Date.now } = options;
  const { origin } = new URL(options.siteUrl);
  const answers = new Answers(options.siteUrl, options.words);
  const limits = new Limits(perAddress, total);
  const counts: RelayCounts = { passedOn: 0, refused: 0, throttled: 0, failed: 0 };
  let notBefore = 0;
  let inFlight = 0;

  async function passOn(operation: string, pk: number): Promise<Verdict> {
    const leftMs = notBefore - now();
    if (leftMs > 0) return { status: 429, waitMs: leftMs };
    if (inFlight >= MOST_IN_FLIGHT) return { status: 429, waitMs: 1_000 };
    const waitMs = await limits.everybody();
    if (waitMs > 0) return { status: 429, waitMs };
    inFlight++;
    try {
      counts.passedOn++;
      const verdict = await forward(service, operation, pk, now());
      // One refusal stops all: the service counts the credential, not the reader.
      if (verdict.status === 429) notBefore = Math.max(notBefore, now() + verdict.waitMs);
      if (verdict.fault !== undefined) onFault(verdict.fault);
      return verdict;
    } finally {
      inFlight--;
    }
  }

  async function judge(request: Request, operation: string, env: object): Promise<Verdict> {
    if (!admitted(request.headers, origin)) return { status: 403, waitMs: 0 };
    const waitMs = await limits.address(addressOf(request, env));
    if (waitMs > 0) return { status: 429, waitMs };
    const read = await readPk(request);
    return "pk" in read ? passOn(operation, read.pk) : { status: read.status, waitMs: 0 };
  }

  function tally({ status }: Verdict): void {
    if (status === 429) counts.throttled++;
    else if (status >= 500) counts.failed++;
    else if (status >= 400) counts.refused++;
  }

  const app = new Hono<{ Bindings: object }>();
  app.post(OPERATIONS, async (c) => {
    const verdict = await judge(c.req.raw, c.req.param("operation"), c.env);
    tally(verdict);
    return answers.of(verdict, c.req.raw);
  });
  const refuse = (status: Verdict["status"], request: Request): Response => {
    counts.refused++;
    return answers.of({ status, waitMs: 0 }, request);
  };
  app.all(OPERATIONS, (c) => refuse(405, c.req.raw));
  app.notFound((c) => refuse(404, c.req.raw));
  app.onError((error, c) => {
    // Who hangs up in the middle of a body is not there to be answered.
    if (c.req.raw.signal.aborted) return refuse(400, c.req.raw);
    counts.failed++;
    onFault(error.stack ?? error.message);
    return answers.of({ status: 500, waitMs: 0 }, c.req.raw);
  });
  return { counts, fetch: (request, env) => app.fetch(request, env) };
}
