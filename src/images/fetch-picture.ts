/**
 * Fetches pictures: at most three redirects each, every one judged like the first address, all within one deadline.
 *
 * A request carries no credential, no cookie and no referrer. What the answer calls itself is not looked at;
 * decoding decides what it is.
 */
import type { Readable } from "node:stream";
import { errors, request } from "undici";
import {
  conditions,
  freshUntil,
  giveUp,
  headerOf,
  readBody,
  type Validators,
  validatorsOf,
} from "./answer.ts";
import { type FailureReason, PictureFailed } from "./failures.ts";
import { admit, openAgents, WEB_PORTS, type Judge, type Resolver } from "./guard.ts";

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
  /** Default: the system's. */
  readonly resolve?: Resolver;
  /** Default: all but public addresses are forbidden. */
  readonly judge?: Judge;
}

/** How long the pause is, the harvest decides: quotes and pictures are asked under one quota. */
export interface Refusal {
  /** Too many requests; else the host is in trouble, and may say for how long. */
  readonly throttled: boolean;
  /** Reads a header by its lower-case name; null when absent. */
  readonly header: (name: string) => string | null;
  /** The first of what it says; empty where that cannot be read. */
  readonly body: string;
}

/** Opens the connections of a run, which remembers the hosts that are in trouble. */
export function openFetcher(options: FetchOptions) {
  const { ownOrigin, ownAddress, ports = WEB_PORTS, mayRequest, onRefusal } = options;
  const { redact = String, deadlineMs = DEADLINE_MS, now = Date.now } = options;
  const run = options.signal ?? new AbortController().signal;
  const agents = openAgents(options.resolve, options.judge);
  /** In a row, by origin: a host that is down must not cost ten seconds for each of its pictures. */
  const failures = new Map<string, number>();
  const counts = { requests: 0, bytesFetched: 0 };

  /**
   * @param known validators of the copy we hold; null when there is none
   * @returns with `bytes` null when the picture is the one we know (304)
   * @throws {PictureFailed} with the reason
   * @throws the reason of the run's signal when the run is ended
   */
  async function fetchPicture(address: string, known: Validators | null) {
    const signal = AbortSignal.any([run, AbortSignal.timeout(deadlineMs)]);
    let from: URL | null = null;
    let next = address;
    let stayedOwn = true;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const { url, own } = admit(next, from, stayedOwn, { ownOrigin, ports });
      const answer = await ask(url, own, known, signal);
      if (typeof answer !== "string") return answer;
      [from, next, stayedOwn] = [url, answer, own];
    }
    throw new PictureFailed("too-many-redirects", `it redirects more than ${MAX_REDIRECTS} times`);
  }

  /** One request: the picture, or where it says the picture is. */
  async function ask(url: URL, own: boolean, known: Validators | null, signal: AbortSignal) {
    if (!mayAsk(url.origin)) {
      throw new PictureFailed("postponed", "its host failed too often in this run");
    }
    const ofService = ownOrigin !== null && new URL(ownOrigin).hostname === url.hostname;
    if (ofService && mayRequest?.() === false) {
      throw new PictureFailed("postponed", "no request may be sent to the service now");
    }
    counts.requests++;
    try {
      const target = new URL(own ? (ownAddress ?? url) : url);
      // Not resolved against the address: a path may begin with two slashes, as only a host should.
      target.pathname = url.pathname;
      target.search = url.search;
      const { statusCode, headers, body } = await request(target, {
        dispatcher: own ? agents.own : agents.guarded,
        headers: { ...HEADERS, ...conditions(known, url) },
        signal,
      });
      const refuse = (throttled: boolean, said: string): void =>
        onRefusal?.({ throttled, header: (name) => headerOf(headers, name), body: said });
      const validators = validatorsOf(headers, url, redact);
      const fetched = { validators, freshUntil: freshUntil(headers, now()) };
      if (statusCode === 200) {
        const bytes = await readBody(body, headerOf(headers, "content-length"), MAX_BYTES);
        if (ofService && isRefusal(bytes)) {
          refuse(true, bytes.toString());
          throw new PictureFailed("throttled", "its host answered 429 as a success");
        }
        note(url.origin, null);
        counts.bytesFetched += bytes.length;
        return { ...fetched, bytes };
      }
      const mayAskForPause = [408, 425, 429].includes(statusCode) || statusCode >= 500;
      if (ofService && mayAskForPause) {
        // The others in flight need not wait for what else it says.
        if (statusCode === 429) note(url.origin, "throttled");
        refuse(statusCode === 429, await readSaid(body));
      } else giveUp(body);
      if (statusCode === 304 && known !== null) {
        note(url.origin, null);
        // A 304 may leave out the validators that did not change (RFC 9110, section 15.4.5).
        const etag = validators.etag ?? known.etag;
        const lastModified = validators.lastModified ?? known.lastModified;
        return { ...fetched, bytes: null, validators: { ...validators, etag, lastModified } };
      }
      const location = headerOf(headers, "location");
      if (REDIRECTS.has(statusCode) && location !== null) return location;
      throw new PictureFailed(reasonOfStatus(statusCode), `its host answered ${statusCode}`);
    } catch (error) {
      // The run was ended: that is nothing this picture did.
      run.throwIfAborted();
      const failure = error instanceof PictureFailed ? error : failureOf(error, signal);
      note(url.origin, failure.reason);
      throw failure;
    }
  }

  function mayAsk(origin: string): boolean {
    return (failures.get(origin) ?? 0) < PATIENCE;
  }

  /** @param reason null when the origin answered; a host that said 429 is not asked again in this run */
  function note(origin: string, reason: FailureReason | null): void {
    if (reason === "throttled") failures.set(origin, Infinity);
    else if (reason !== null && OF_THE_HOST.has(reason)) {
      failures.set(origin, (failures.get(origin) ?? 0) + 1);
    } else if (mayAsk(origin)) failures.delete(origin);
  }

  return { fetchPicture, counts, [Symbol.asyncDispose]: agents.close };
}

/** Failures in a row after which a host is not asked again. */
const PATIENCE = 5;

/** Failures that speak of the host and not of the picture. */
const OF_THE_HOST: ReadonlySet<FailureReason> = new Set([
  "host-failed",
  "unreachable",
  "too-slow",
] as const);

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
  "accept-encoding": "identity",
  "user-agent": "Commonplace",
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Bytes of a refusal: a sentence is enough, and a larger body is not read at all. */
const MOST_SAID = 16_384;

/** What a refusal says matters less than the refusal: a body that breaks off is an empty one. */
async function readSaid(body: Readable): Promise<string> {
  try {
    return (await readBody(body, null, MOST_SAID)).toString();
  } catch (error) {
    if (error instanceof PictureFailed || (error instanceof Error && "code" in error)) return "";
    throw error;
  }
}

/** Whether a picture is none: `{"errno": 429}` with status 200. */
function isRefusal(bytes: Buffer): boolean {
  if (bytes.length > MOST_SAID || bytes[0] !== "{".charCodeAt(0)) return false;
  return /"errno"\s*:\s*429\b/.test(bytes.toString());
}

function reasonOfStatus(status: number): FailureReason {
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
