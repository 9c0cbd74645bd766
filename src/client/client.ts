/**
 * The HTTP client: sends a GET request with retries and a rate limit, and returns a decoded value.
 *
 * It never sends a POST: no program may repeat a vote or a report (docs/walk.md, section 8).
 */
import type { Decoded, Dropped } from "../contract/decode.ts";
import {
  ConfigurationError,
  Refusal,
  GarbledAnswer,
  PermanentAnswer,
  ServerFault,
} from "../contract/errors.ts";
import type { ReportHarvest } from "../contract/results.ts";
import { attempt } from "./attempt.ts";
import { connect, type ClientOptions, type Connection } from "./connection.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { Retrier } from "./retry.ts";
import type { Query } from "./service-api.ts";
import { AttemptFailed } from "./verdict.ts";
import { throttleWaitMs } from "../http/wait.ts";

export class Client {
  readonly #options: ClientOptions;
  readonly #connection: Connection;
  readonly #limiter: RateLimiter;
  readonly #retrier: Retrier;
  /** Authors and tags that were left out because of a limit, by key of the quote, since windows overlap. */
  readonly dropped = new Map<number, Dropped>();
  #throttledInARow = 0;
  #waits = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#connection = connect(options);
    this.#limiter = new RateLimiter(options);
    const { runtime, report } = options;
    const cleanReport: ReportHarvest = (event) =>
      report("why" in event ? { ...event, why: this.#connection.redact(event.why) } : event);
    this.#retrier = new Retrier({ runtime, report: cleanReport }, this.#limiter);
  }

  /** Retries and 429 answers of this client. */
  get counts(): { readonly retries: number; readonly waits: number } {
    return { retries: this.#retrier.retries, waits: this.#waits };
  }

  /**
   * @param path below the base address, of `ServiceApi`
   * @param read decodes a body, or rejects it
   * @param attempts "once" for no retries; a failure then does not count towards giving up
   * @throws {PermanentAnswer} when a retry would not help
   * @throws {ConfigurationError} when the service refuses the credential, or its certificate is bad
   * @throws {GarbledAnswer} when two answers in a row could not be decoded
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
      return await this.#retrier.run(async () => {
        const value = read(await this.#send(address));
        if (!value.ok) throw new AttemptFailed("garbled", value.reason);
        return this.#connection.clean(value.value);
      }, attempts === "once");
    } catch (error) {
      if (error instanceof AttemptFailed) throw this.#toError(error, address, attempts === "once");
      if (error instanceof Refusal) {
        error.message = this.#connection.redact(error.message);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection.pool.destroy();
  }

  /** Repeats a request after each 429, which is not an attempt (docs/walk.md, section 8). */
  async #send(address: string): Promise<unknown> {
    const { ledger, signal } = this.#options;
    const count = (): void => this.#limiter.count();
    for (;;) {
      await this.#limiter.wait();
      try {
        const answer = await attempt(this.#connection, address, signal, count);
        this.#throttledInARow = 0;
        const { limit, resetMs } = answer.rateLimit;
        if (limit !== null) ledger.learnQuota(limit, resetMs);
        return answer.body;
      } catch (error) {
        if (!(error instanceof AttemptFailed && error.verdict === "throttled")) throw error;
        this.#throttle(error.askedWaitMs);
      }
    }
  }

  #throttle(resetMs: number | null): void {
    const { ledger, runtime } = this.#options;
    this.#waits++;
    this.#throttledInARow++;
    ledger.learnQuota(null, resetMs);
    const waitMs = throttleWaitMs(resetMs, this.#throttledInARow, runtime.random());
    const how = resetMs === null ? " without saying for how long" : "";
    this.#limiter.throttle(waitMs, `the service asked us to wait${how}`);
  }

  #buildAddress(path: string, query: Query): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.append(name, String(value));
    }
    const search = parameters.size === 0 ? "" : `?${parameters.toString()}`;
    return `${this.#connection.origin.pathname.replace(/\/$/, "")}${path}${search}`;
  }

  #toError(failed: AttemptFailed, address: string, once: boolean): Error {
    const message = this.#connection.redact(
      `Cannot read ${this.#connection.origin.origin}${address}: ${failed.message}`,
    );
    const options = { cause: failed.cause };
    switch (failed.verdict) {
      case "configuration": {
        const asksForCredential = failed.status === 401 || failed.status === 403;
        const advice = asksForCredential ? "; check QUOTES_TOKEN and QUOTES_TOKEN_SCHEME" : "";
        return new ConfigurationError(message + advice, options);
      }
      case "permanent":
        return new PermanentAnswer(message, failed.status);
      case "garbled":
        return new GarbledAnswer(message, options);
      case "transient":
      case "throttled":
        if (once || failed.mayBeOfRecord) {
          return new ServerFault(
            message,
            failed.message,
            failed.isTimeout,
            this.#retrier.hadAnswers,
          );
        }
        return this.#retrier.toUnavailable(message, failed.cause);
    }
  }
}
