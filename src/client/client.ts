/**
 * The HTTP client: sends a GET request, repeats it as docs/walk.md, section 8 says, and returns a decoded value.
 *
 * It never sends a POST: no program may repeat a vote or a report.
 */
import { decodePage, type Page } from "../contract/body.ts";
import type { Decoded, Dropped } from "../contract/decode.ts";
import {
  ConfigurationError,
  Refusal,
  GarbledAnswer,
  PermanentAnswer,
  ServerFault,
} from "../contract/errors.ts";
import type { ReportHarvest } from "../contract/results.ts";
import { limitOf, listOf, placeOf } from "./addresses.ts";
import { attempt } from "./attempt.ts";
import { ClosedPlaces } from "./closed-places.ts";
import { connect, type ClientOptions, type Connection } from "./connection.ts";
import { Pace, type Turn } from "./pace.ts";
import { Patience } from "./patience.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { SERVICE_API, type Query } from "./service-api.ts";
import { AttemptFailed } from "./verdict.ts";

/** Resets of used connections that are repeated at once, for one request. */
const MOST_FRESH = 2;
/** Such resets in all after which connections are no longer kept open. */
const MOST_RESETS = 3;
/** A wait from which on a request that is sent once gives up, unless the service limits all requests. */
const LONG_MS = 60_000;
const USUAL_LIMIT = 20;
/** Requests for the start of the list, in turn: its first record may be the one that fails, or so few rows be refused. */
const STARTS = [
  { limit: 1, offset: 0 },
  { limit: 1, offset: 1 },
  { limit: USUAL_LIMIT, offset: 0 },
  { limit: 1, offset: 2 },
] as const;

/** Statuses of a limiter, which may refuse any address. */
const OF_PACE: ReadonlySet<number> = new Set([420, 429, 503]);

/** A smaller page is never taken for too large: a record in it may be the cause. */
const LEAST_PAGE = 5;

/** A single record is no list: it does not show that lists are served. */
function readStart(body: unknown): Decoded<Page<unknown>> {
  const page = decodePage(body, (raw) => ({ ok: true, value: raw }));
  if (!page.ok || page.value.shape !== "record") return page;
  return { ok: false, reason: "the service answered with one record instead of a list" };
}

/** Whether a query asks for the first quotes of the whole list. */
const isOfStart = ({ limit: _, offset = 0, ...filters }: Query): boolean =>
  offset === 0 && Object.values(filters).every((value) => value === undefined);

export class Client {
  readonly #options: ClientOptions;
  readonly #connection: Connection;
  readonly #limiter: RateLimiter;
  readonly #pace: Pace;
  readonly #patience: Patience;
  /** Authors and tags that were left out because of a limit, by key of the quote, since windows overlap. */
  readonly dropped = new Map<number, Dropped>();
  /** Keys of quotes with a field that could not be read, by the name of the field. */
  readonly unread = new Map<string, Set<number>>();
  /** Refusals since the last good answer; those of requests that were in flight together count once. */
  #refusals = 0;
  #refusedAt = 0;
  #waits = 0;
  #resets = 0;
  /** Status of the last failure that belonged to a place, by its address without the limit. */
  readonly #failed = new Map<string, number>();
  /** The smallest page that failed for good, by its list and status. */
  readonly #tooLarge = new Map<string, number>();
  /** Most rows that an answer for the start of the list had. */
  #rowsAtStart = 0;
  #startsAsked = 0;
  /** Empty answers for the start of the list that were not believed. */
  #emptyStarts = 0;
  /** The limit of the last page that was served. */
  #acceptedLimit = USUAL_LIMIT;
  /** Whether the service refuses to send one quote: some accept a few limits alone. */
  #refusesOne = false;
  readonly #closed: ClosedPlaces;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#closed = new ClosedPlaces(options.ledger);
    this.#connection = connect(options);
    this.#limiter = new RateLimiter(options, (ms) => this.#patience.noteAskedWait(ms));
    this.#pace = new Pace(options, this.#limiter);
    const { report } = options;
    const cleanReport: ReportHarvest = (event) =>
      report("why" in event ? { ...event, why: this.#connection.redact(event.why) } : event);
    this.#patience = new Patience({ ...options, report: cleanReport }, this.#pace, () =>
      this.#askStart(),
    );
  }

  /** Repeated requests and 429 answers of this client. */
  get counts(): { readonly retries: number; readonly waits: number } {
    return { retries: this.#patience.retries, waits: this.#waits };
  }

  /** Requests that failed otherwise than with an empty list or "too fast". */
  get faults(): number {
    return this.#patience.retries - this.#waits - this.#emptyStarts;
  }

  /**
   * @param path below the base address, of `ServiceApi`
   * @param read decodes a body, or rejects it
   * @param attempts "once" for a request that may fail by itself, which is not repeated; a busy service is waited for
   * @throws {PermanentAnswer | ServerFault} when the failure belongs to this address; `verdict.ts` has the table
   * @throws {ConfigurationError} when the service refuses the credential, or its certificate is bad
   * @throws {GarbledAnswer} when the service sends what can never be a page
   * @throws {ServiceUnavailable} when the service never answered
   * @throws {StoppedEarly} when it stopped answering, or a budget is spent
   */
  async get<T>(
    path: string,
    query: Query,
    read: (body: unknown) => Decoded<T>,
    attempts?: "once",
  ): Promise<T> {
    const address = this.#buildAddress(path, query);
    try {
      const once = attempts === "once";
      const isList = path === SERVICE_API.paths.quotes;
      const isStart = isList && isOfStart(query);
      const readOwn = (body: unknown): Decoded<T> => {
        if (isStart) this.#checkRows(readStart(body), 0);
        return read(body);
      };
      const how = { once, isStart, isFirst: isStart && query["limit"] === 1 };
      const value = await this.#patience.run(() => this.#try(address, readOwn, how), how);
      const limit = limitOf(address);
      if (isList && limit > 1) this.#acceptedLimit = limit;
      return value;
    } catch (error) {
      if (error instanceof AttemptFailed) {
        this.#noteFailed(address, error);
        throw this.#toError(error, address);
      }
      if (error instanceof Refusal) error.message = this.#connection.redact(error.message);
      throw error;
    }
  }

  async #askStart(): Promise<unknown> {
    const start = STARTS[this.#startsAsked++ % STARTS.length] ?? STARTS[0];
    const query = this.#refusesOne ? { limit: this.#acceptedLimit, offset: 0 } : start;
    const address = this.#buildAddress(SERVICE_API.paths.quotes, query);
    try {
      const read = (body: unknown): Decoded<unknown> => this.#readStart(body, query.offset);
      return await this.#try(address, read, { once: false, isStart: true });
    } catch (error) {
      const isRefused = error instanceof AttemptFailed && error.verdict === "refused";
      if (isRefused && query.limit === 1) this.#refusesOne = true;
      throw error;
    }
  }

  #noteFailed(address: string, { status }: AttemptFailed): void {
    this.#failed.set(placeOf(address), status);
    const limit = limitOf(address);
    if (limit <= LEAST_PAGE) return;
    const list = `${status} ${listOf(address)}`;
    this.#tooLarge.set(list, Math.min(limit, this.#tooLarge.get(list) ?? Infinity));
  }

  /** Whether the same failure of this place, or of a page of the list that was no larger, was for good. */
  #hasFailed(address: string, { status }: AttemptFailed): boolean {
    if (this.#failed.get(placeOf(address)) === status) return true;
    return limitOf(address) >= (this.#tooLarge.get(`${status} ${listOf(address)}`) ?? Infinity);
  }

  #readStart(body: unknown, offset: number): Decoded<unknown> {
    const page = readStart(body);
    this.#checkRows(page, offset);
    return page;
  }

  /**
   * Checks that an answer for the start of the list is one.
   *
   * @throws {AttemptFailed} when it is empty, and had rows before: then another server answers, or a limiter. Where it had them in
   *   another run, an index is built anew, or the service really is empty: time shows which
   */
  #checkRows(page: Decoded<Page<unknown>>, offset: number): void {
    if (!page.ok) return;
    const rows = page.value.items.length + page.value.vacant.length;
    const { hasServed = false } = this.#options;
    const isDoubted = hasServed && this.#rowsAtStart === 0 && this.#patience.doubtsFirst;
    if (rows === 0 && (this.#rowsAtStart > offset || isDoubted)) {
      if (isDoubted) this.#emptyStarts++;
      const what = "the service answered with an empty list where it had quotes before";
      throw new AttemptFailed("busy", what, { status: 200 });
    }
    // A list that was empty says nothing of the pace.
    if (this.#emptyStarts > 0 && this.#rowsAtStart === 0) this.#patience.forgetFailures();
    if (offset === 0) this.#rowsAtStart = Math.max(this.#rowsAtStart, rows);
  }

  /** Sends one request at a time from now on: answers of the service contradict each other. */
  narrow(): void {
    this.#pace.narrow();
  }

  /** Sends later requests over fresh connections, which a balancer may lead to another server. */
  renewConnections(): void {
    this.#connection.renew();
  }

  noteUnread(field: string, id: number): void {
    this.unread.set(field, (this.unread.get(field) ?? new Set()).add(id));
  }

  async close(): Promise<void> {
    this.#pace.keep();
    await this.#connection.close();
  }

  /** Sends one request in its turn, and notes what a failure says of the pace. */
  #try<T>(
    address: string,
    read: (body: unknown) => Decoded<T>,
    { once, isStart }: { readonly once: boolean; readonly isStart: boolean },
  ): Promise<T> {
    return this.#pace.run(async (turn) => {
      try {
        const value = read(await this.#send(address));
        if (!value.ok) {
          const verdict = this.#patience.hadAnswers ? "busy" : "no list";
          throw new AttemptFailed(verdict, value.reason, { status: 200 });
        }
        this.#refusals = 0;
        this.#closed.served(address);
        return this.#connection.clean(value.value);
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error;
        if (!isStart && this.#isTooLong(error) && this.#closed.refused(address)) {
          const { message, status } = error;
          throw new AttemptFailed("refused", message, { status, isOfPlace: true });
        }
        // An optional address that is closed for long must not keep the run from the others.
        const isClosed = (error.askedWaitMs ?? 0) > LONG_MS && error.status !== 429;
        // Where a page that was no larger failed for good, the same failure needs no second answer.
        const isKnown = this.#hasFailed(address, error);
        const isOfPlace = isKnown && error.verdict === "busy" && !OF_PACE.has(error.status);
        if (once && (isClosed || isOfPlace)) {
          throw new AttemptFailed("broken", error.message, error);
        }
        // A record that makes its pages fail says nothing of the pace.
        if (!(once && error.verdict === "broken")) this.#noteFailure(error, turn);
        throw error;
      }
    });
  }

  /** Whether the service asks for a longer wait than this run has. */
  #isTooLong({ verdict, askedWaitMs }: AttemptFailed): boolean {
    return verdict === "busy" && !this.#limiter.mayWait(askedWaitMs ?? 0);
  }

  /** A reset of a connection that had answered before says nothing: the request is sent again at once on a fresh one. */
  async #send(address: string): Promise<unknown> {
    const { signal } = this.#options;
    const connection = this.#connection;
    const line = connection.take();
    const beforeSending = (): void => this.#limiter.count();
    const { hadAnswers } = this.#patience;
    try {
      for (let fresh = 0; ; fresh++) {
        try {
          const options = { connection, line, signal, beforeSending, hadAnswers };
          const { body, rateLimit } = await attempt(address, options);
          this.#limiter.noteQuota(rateLimit);
          return body;
        } catch (error) {
          if (!(error instanceof AttemptFailed)) throw error;
          const wasUsed = error.isReset && line.answers > 0;
          // A refusal may belong to the connection: a balancer sends the next one elsewhere.
          if (error.isReset || error.verdict === "refused" || error.status === 403) line.renew();
          if (!wasUsed || fresh >= MOST_FRESH) throw error;
          connection.keepsAlive = ++this.#resets < MOST_RESETS;
        }
      }
    } finally {
      connection.give(line);
    }
  }

  #noteFailure({ verdict, status, askedWaitMs, message }: AttemptFailed, turn: Turn): void {
    if (verdict !== "busy" && verdict !== "unreachable" && verdict !== "broken") return;
    if (status === 429) {
      this.#waits++;
      this.#options.ledger.learnQuota(null, askedWaitMs);
    }
    const asked = askedWaitMs ?? 0;
    if (asked > 0) {
      const what = status === 429 ? "" : "is busy and ";
      this.#limiter.postpone(asked, `the service ${what}asked us to wait`);
    }
    const isSameMoment = this.#refusals > 0 && turn.startedAt <= this.#refusedAt;
    // A wait that did not help is too short: "wait 0 seconds" would otherwise get requests without a pause.
    const isTooShort = this.#refusals > 0 && !isSameMoment;
    // An error at one place says little of the pace: the start of the list will show it.
    if (verdict === "broken" && this.#patience.hadAnswers) this.#pace.hesitate();
    else if (asked === 0 || isTooShort) this.#pace.slowDown(turn, message);
    if (!isSameMoment) this.#refusals++;
    this.#refusedAt = this.#options.runtime.now();
  }

  #buildAddress(path: string, query: Query): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.append(name, String(value));
    }
    const search = parameters.size === 0 ? "" : `?${parameters.toString()}`;
    return `${this.#connection.origin.pathname.replace(/\/$/, "")}${path}${search}`;
  }

  #toError(failed: AttemptFailed, address: string): Error {
    const advice = failed.advice === null ? "" : `; ${failed.advice}`;
    const plain = this.#connection.redact(
      `Cannot read ${this.#connection.origin.origin}${address}: ${failed.message}`,
    );
    const message = plain + advice;
    const reason = this.#connection.redact(failed.message);
    const options = { cause: failed.cause };
    switch (failed.verdict) {
      case "wrong setting":
        return new ConfigurationError(message, options);
      case "refused":
        return new PermanentAnswer(message, failed.status, { reason });
      case "no list":
        return new GarbledAnswer(message, options);
      case "too large":
      case "broken":
      case "busy":
      case "unreachable": {
        const { verdict, status } = failed;
        if (status === 403)
          return new PermanentAnswer(message, status, { servesStart: true, reason });
        const { hadAnswers } = this.#patience;
        return new ServerFault(plain, { reason, verdict, status, hadAnswers });
      }
    }
  }
}
