/**
 * Fetches one picture: at most three redirects, each judged like the first address, all within one deadline.
 *
 * The request carries no credential, no cookie and no referrer. What the answer calls itself is not looked at;
 * decoding decides what it is.
 */
import { errors, request } from "undici";
import { type FailureReason, PictureFailed } from "./failures.ts";
import { admit, type Agents, type GuardPolicy, WEB_PORTS } from "./guard.ts";
import {
  conditions,
  freshUntil,
  giveUp,
  headerOf,
  mayAskForPause,
  readBody,
  readRefusal,
  refusalInDisguise,
  type Refusal,
  type Validators,
  validatorsOf,
} from "./answer.ts";

/** All of it: look-up, redirects, headers, body. */
export const DEADLINE_MS = 10_000;

/** 5 MiB. */
export const MAX_BYTES = 5 * 1_048_576;

const MAX_REDIRECTS = 3;

export interface FetchOptions {
  /** Origin of the quotes service, allowed wherever it lives; null for none. */
  readonly ownOrigin: string | null;
  /** Where that origin is really asked, when its name does not resolve; default where it says. */
  readonly ownAddress?: string | undefined;
  /** Ports besides the service's that may be asked; default 80 and 443. */
  readonly ports?: readonly number[];
  /** Takes one request to the service's host from the budget; false when none may be sent. Default: no ceiling. */
  readonly mayRequest?: () => boolean;
  /** Called when the service's host asks for a pause, before anything else is sent to it. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Takes what is secret out of a text: hosts may echo it in headers. Default: nothing is. */
  readonly redact?: (text: string) => string;
  /** Time for one picture in milliseconds. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Ends the whole run. */
  readonly signal?: AbortSignal;
}

export const FETCH_DEFAULTS = {
  ownAddress: undefined,
  ports: WEB_PORTS,
  mayRequest: () => true,
  onRefusal: () => undefined,
  redact: (text: string) => text,
  deadlineMs: DEADLINE_MS,
  now: Date.now,
} as const;

export interface FetchContext extends Required<FetchOptions> {
  readonly agents: Agents;
  readonly origins: Origins;
  /** Called for every request that is sent. */
  readonly onRequest: () => void;
}

export interface Fetched {
  /** Null when the picture is the one we know (304). */
  readonly bytes: Buffer | null;
  readonly validators: Validators;
  readonly freshUntil: number;
}

/**
 * @param known validators of the copy we hold; null when there is none
 * @throws {PictureFailed} with the reason
 * @throws the reason of `context.signal` when the run is ended
 */
export async function fetchPicture(
  address: string,
  known: Validators | null,
  context: FetchContext,
): Promise<Fetched> {
  const deadline = AbortSignal.timeout(context.deadlineMs);
  const signal = AbortSignal.any([context.signal, deadline]);
  let from: URL | null = null;
  let next = address;
  let stayedOwn = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { url, own } = admit(next, from, stayedOwn, context);
    const answer = await ask(url, own, known, signal, context);
    if (typeof answer !== "string") return answer;
    [from, next, stayedOwn] = [url, answer, own];
  }
  throw new PictureFailed("too-many-redirects", `it redirects more than ${MAX_REDIRECTS} times`);
}

/** One request: the picture, or where it says the picture is. */
async function ask(
  url: URL,
  own: boolean,
  known: Validators | null,
  signal: AbortSignal,
  context: FetchContext,
): Promise<Fetched | string> {
  const { agents, origins, ownAddress } = context;
  if (!origins.mayAsk(url.origin)) {
    throw new PictureFailed("postponed", "its host failed too often in this run");
  }
  const ofService = isServiceHost(url, context);
  if (ofService && !context.mayRequest()) {
    throw new PictureFailed("postponed", "no request may be sent to the service now");
  }
  context.onRequest();
  try {
    const target = new URL(own ? (ownAddress ?? url) : url);
    // Not resolved against the address: a path may begin with two slashes, as only a host should.
    target.pathname = url.pathname;
    target.search = url.search;
    const answer = await request(target, {
      dispatcher: own ? agents.own : agents.guarded,
      headers: { ...HEADERS, ...conditions(known, url) },
      signal,
    });
    const { statusCode, headers, body } = answer;
    const validators = clean(validatorsOf(headers, url), context);
    const fresh = freshUntil(headers, context.now());
    if (statusCode === 200) {
      const bytes = await readBody(body, headerOf(headers, "content-length"), MAX_BYTES);
      const refused = ofService ? refusalInDisguise(headers, bytes) : null;
      if (refused !== null) {
        context.onRefusal(refused);
        throw new PictureFailed("throttled", "its host answered 429 as a success");
      }
      origins.note(url.origin, null);
      return { bytes, validators, freshUntil: fresh };
    }
    if (ofService && mayAskForPause(statusCode)) {
      // The others in flight need not wait for what else it says.
      if (statusCode === 429) origins.note(url.origin, "throttled");
      context.onRefusal(await readRefusal(statusCode, headers, body));
    } else giveUp(body);
    if (statusCode === 304 && known !== null) {
      origins.note(url.origin, null);
      return { bytes: null, validators: merge(known, validators), freshUntil: fresh };
    }
    const location = headerOf(headers, "location");
    if (REDIRECTS.has(statusCode) && location !== null) return location;
    throw new PictureFailed(reasonOfStatus(statusCode), `its host answered ${statusCode}`);
  } catch (error) {
    // The run was ended: that is nothing this picture did.
    context.signal.throwIfAborted();
    const failure = error instanceof PictureFailed ? error : failureOf(error, signal);
    origins.note(url.origin, failure.reason);
    throw failure;
  }
}

/** Validators that hold a secret are none: they would be kept with the picture. */
function clean(validators: Validators, { redact }: FetchContext): Validators {
  const { etag, lastModified, from } = validators;
  const said = [etag ?? "", lastModified ?? "", from];
  return said.every((text) => redact(text) === text)
    ? validators
    : { etag: null, lastModified: null, from: redact(from) };
}

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
  "accept-encoding": "identity",
  "user-agent": "Commonplace",
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function isServiceHost(url: URL, { ownOrigin }: GuardPolicy): boolean {
  return ownOrigin !== null && new URL(ownOrigin).hostname === url.hostname;
}

/** A 304 may leave out the validators that did not change (RFC 9110, section 15.4.5). */
function merge(known: Validators, answered: Validators): Validators {
  return {
    etag: answered.etag ?? known.etag,
    lastModified: answered.lastModified ?? known.lastModified,
    from: answered.from,
  };
}

function reasonOfStatus(status: number): PictureFailed["reason"] {
  if (status === 404 || status === 410 || status === 451) return "gone";
  if (status === 429) return "throttled";
  return status >= 500 ? "host-failed" : "refused";
}

function failureOf(error: unknown, signal: AbortSignal): PictureFailed {
  if (signal.aborted) return new PictureFailed("too-slow", "it did not arrive in time");
  // Whatever the network does has a code; what has none is a bug.
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    return new PictureFailed("unreachable", error.code);
  }
  // Undici's parser leaves the code empty.
  if (error instanceof errors.HTTPParserError) return new PictureFailed("unreachable", error.name);
  throw error;
}

/** Failures in a row after which a host is not asked again. */
const PATIENCE = 5;

/** Failures that speak of the host and not of the picture. */
const OF_THE_HOST: ReadonlySet<FailureReason> = new Set([
  "host-failed",
  "unreachable",
  "too-slow",
] as const);

/**
 * Remembers, for one run, which hosts are in trouble: a host that is down must not cost ten seconds for each of its
 * pictures, and a host that said 429 is not asked again.
 */
export class Origins {
  readonly #failures = new Map<string, number>();

  /** Whether an origin may still be asked in this run. */
  mayAsk(origin: string): boolean {
    return (this.#failures.get(origin) ?? 0) < PATIENCE;
  }

  /** @param reason null when the origin answered, whatever the answer */
  note(origin: string, reason: FailureReason | null): void {
    if (reason === "throttled") this.#failures.set(origin, Infinity);
    else if (reason !== null && OF_THE_HOST.has(reason)) {
      this.#failures.set(origin, (this.#failures.get(origin) ?? 0) + 1);
    } else if (this.mayAsk(origin)) this.#failures.delete(origin);
  }
}
