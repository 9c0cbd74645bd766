/**
 * Fetches pictures: at most three redirects each, checked like the first address, within one deadline.
 *
 * A request has no credential, cookie or referrer. The content type of a response is ignored: the decoder determines it.
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
import type { Proxies } from "../http/proxy.ts";
import { admit, openAgents, WEB_PORTS, type Judge, type Resolver } from "./guard.ts";

/** For look-up, redirects, headers and body together. */
export const DEADLINE_MS = 10_000;

export const MAX_BYTES = 5 * 1_048_576;

const MAX_REDIRECTS = 3;

export interface FetchOptions {
  /** Origin of the quotes service, allowed at any address; null for none. */
  readonly ownOrigin: string | null;
  /** Sends requests for `ownOrigin` to this address, where its name does not resolve. */
  readonly ownAddress?: string | undefined;
  /** Allowed ports besides the service's; default 80 and 443. */
  readonly ports?: readonly number[];
  /** Takes one request to the service's host from the budget; false when none is left. Default: no limit. */
  readonly mayRequest?: () => boolean;
  /** Called when the service's host refuses a request and may ask for a pause, before the next request to it. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Removes secrets from a text: hosts may echo them in headers. */
  readonly redact?: (text: string) => string;
  /** For one picture. */
  readonly deadlineMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly signal?: AbortSignal;
  readonly resolve?: Resolver;
  /** Default: allows public addresses only. */
  readonly judge?: Judge;
  /** Default: every host is reached directly. */
  readonly proxies?: Proxies;
}

/** A refused request to the service's host. The harvest decides about the pause, since both share one quota. */
export interface Refusal {
  readonly throttled: boolean;
  /** Reads a header by its lower-case name; null when absent. */
  readonly header: (name: string) => string | null;
  /** Empty where it cannot be read. */
  readonly body: string;
}

export function openFetcher(options: FetchOptions) {
  const { ownOrigin, ownAddress, ports = WEB_PORTS, mayRequest, onRefusal } = options;
  const { redact = String, deadlineMs = DEADLINE_MS, now = Date.now } = options;
  const run = options.signal ?? new AbortController().signal;
  const agents = openAgents(options.resolve, options.judge, options.proxies);
  /** Consecutive failures by origin: a host that is down must not cost ten seconds for each of its pictures. */
  const failures = new Map<string, number>();
  const counts = { requests: 0, bytesFetched: 0 };

  /**
   * @param known validators of the cached picture; null for none
   * @returns `bytes` is null when the cached picture is unchanged (304)
   * @throws {PictureFailed} with the reason
   * @throws the reason of the run's signal
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

  /** Sends one request. @returns the picture, or the location of a redirect */
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
      // Not resolved as a relative address: a path that begins with two slashes would name a host.
      target.pathname = url.pathname;
      target.search = url.search;
      const { statusCode, headers, body } = await request(target, {
        dispatcher: await agents.agentFor(target, own),
        headers: { ...HEADERS, ...conditions(known, url) },
        signal,
      });
      const refuse = (throttled: boolean, text: string): void =>
        onRefusal?.({ throttled, header: (name) => headerOf(headers, name), body: text });
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
        // Noted before the body is read: concurrent requests must see it at once.
        if (statusCode === 429) note(url.origin, "throttled");
        refuse(statusCode === 429, await readRefusal(body));
      } else giveUp(body);
      if (statusCode === 304 && known !== null) {
        note(url.origin, null);
        // A 304 may leave out the validators that did not change (RFC 9110, section 15.4.5).
        const etag = validators.etag ?? known.etag;
        const lastModified = validators.lastModified ?? known.lastModified;
        return { ...fetched, bytes: null, validators: { ...validators, etag, lastModified } };
      }
      const location = headerOf(headers, "location");
      if (REDIRECTS.includes(statusCode) && location !== null) return location;
      throw new PictureFailed(reasonOfStatus(statusCode), `its host answered ${statusCode}`);
    } catch (error) {
      // The end of the run is no failure of the picture.
      run.throwIfAborted();
      const failure = error instanceof PictureFailed ? error : failureOf(error, signal);
      note(url.origin, failure.reason);
      throw failure;
    }
  }

  function mayAsk(origin: string): boolean {
    return (failures.get(origin) ?? 0) < MOST_FAILURES;
  }

  /** @param reason null for a success; after `throttled` the origin gets no more requests in this run */
  function note(origin: string, reason: FailureReason | null): void {
    if (reason === "throttled") failures.set(origin, Infinity);
    else if (reason !== null && HOST_FAILURES.includes(reason)) {
      failures.set(origin, (failures.get(origin) ?? 0) + 1);
    } else if (mayAsk(origin)) failures.delete(origin);
  }

  return { fetchPicture, counts, [Symbol.asyncDispose]: agents.close };
}

/** Consecutive failures after which a host gets no more requests. */
const MOST_FAILURES = 5;

const HOST_FAILURES: readonly FailureReason[] = ["host-failed", "unreachable", "too-slow"];

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
  "accept-encoding": "identity",
  "user-agent": "Commonplace",
};

const REDIRECTS = [301, 302, 303, 307, 308];

/** Bytes: the body of a refusal is a sentence. */
const MOST_REFUSAL_BYTES = 16_384;

/** @returns the body of a refusal; empty where it is too long or the connection fails */
async function readRefusal(body: Readable): Promise<string> {
  try {
    return (await readBody(body, null, MOST_REFUSAL_BYTES)).toString();
  } catch (error) {
    if (error instanceof PictureFailed || (error instanceof Error && "code" in error)) return "";
    throw error;
  }
}

/** Whether a body with status 200 is `{"errno": 429}`. */
const isRefusal = (bytes: Buffer): boolean =>
  bytes.length <= MOST_REFUSAL_BYTES && /^\{.*"errno"\s*:\s*429\b/s.test(bytes.toString());

function reasonOfStatus(status: number): FailureReason {
  if (status === 404 || status === 410 || status === 451) return "gone";
  if (status === 429) return "throttled";
  return status >= 500 ? "host-failed" : "refused";
}

function failureOf(error: unknown, signal: AbortSignal): PictureFailed {
  if (signal.aborted) return new PictureFailed("too-slow", "it did not arrive in time");
  // Errors of the network have a code; an error without one is a bug.
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    return new PictureFailed("unreachable", error.code);
  }
  // Errors of undici's parser have no code.
  if (error instanceof errors.HTTPParserError) return new PictureFailed("unreachable", error.name);
  throw error;
}
