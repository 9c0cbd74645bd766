/**
 * Asks the service for one thing at a time and gives back a checked value, or a failure that says what to do.
 *
 * It never posts: a vote or a report is not repeated by a machine (docs/walk.md, section 8).
 */
import type { Decoded, Dropped } from "../contract/decode.ts";
import { ConfigurationError, ServiceUnavailable, StoppedEarly } from "../contract/errors.ts";
import { GarbledAnswer, PermanentAnswer, ServerFault } from "../contract/refused-answer.ts";
import { attempt } from "./attempt.ts";
import { connect, type ClientOptions, type Connection } from "./connection.ts";
import { Gate } from "./gate.ts";
import { Retrier } from "./retry.ts";
import { AttemptFailed } from "./verdict.ts";
import { throttleWaitMs } from "./wait.ts";

/** Query parameters in the order they are sent; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export class Client {
  readonly #options: ClientOptions;
  readonly #connection: Connection;
  readonly #gate: Gate;
  readonly #retrier: Retrier;
  /** What quotes had over a limit and lost for it; by key, since windows overlap. */
  readonly dropped = new Map<number, Dropped>();
  #throttledInARow = 0;
  #waits = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#connection = connect(options);
    this.#gate = new Gate(options);
    this.#retrier = new Retrier({
      random: options.runtime.random,
      backOff: (ms, askedMs) => {
        this.#gate.backOff(ms);
        if (askedMs > 0) this.#gate.throttle(askedMs, "the service is busy and asked us to wait");
      },
      onRetry: (why) => options.report({ kind: "retry", why: this.#redact(why) }),
    });
  }

  /** Retries made and waits asked for, since this client was made. */
  get counts(): { readonly retries: number; readonly waits: number } {
    return { retries: this.#retrier.retries, waits: this.#waits };
  }

  /**
   * @param path from the base address, such as `/apiv1/quotes/`
   * @param read decodes a body, or rejects it
   * @param attempts "once" where it is not repeated, and counts as no failure
   * @throws {PermanentAnswer} when asking again would not help
   * @throws {GarbledAnswer} when the answer made no sense twice in a row
   * @throws {ConfigurationError} when the service does not accept who we say we are
   * @throws {ServiceUnavailable} when it never answered
   * @throws {StoppedEarly} when it stopped answering, or a budget is spent
   */
  async get<T>(
    path: string,
    query: Query,
    read: (body: unknown) => Decoded<T>,
    attempts?: "once",
  ): Promise<T> {
    const address = this.#address(path, query);
    try {
      return await this.#retrier.run(async () => {
        const value = read(await this.#allowed(address));
        if (!value.ok) throw new AttemptFailed("garbled", value.reason);
        return this.#connection.clean.value(value.value);
      }, attempts === "once");
    } catch (error) {
      if (error instanceof AttemptFailed) throw this.#refusal(error, address, attempts === "once");
      if (error instanceof StoppedEarly || error instanceof ServiceUnavailable) {
        error.message = this.#redact(error.message);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection.pool.destroy();
  }

  /** Asks until the service no longer says "too many requests": a 429 is not an attempt (docs/walk.md, section 8). */
  async #allowed(address: string): Promise<unknown> {
    const { ledger, signal, runtime } = this.#options;
    for (;;) {
      await this.#gate.pass();
      try {
        const answer = await attempt(this.#connection, address, signal, () => this.#gate.spend());
        this.#throttledInARow = 0;
        const { limit, remaining, resetMs } = answer.rateLimit;
        if (limit !== null || remaining !== null) {
          ledger.learn({ at: runtime.now(), limit, remaining, resetMs, refused: false });
        }
        return answer.body;
      } catch (error) {
        if (!(error instanceof AttemptFailed && error.verdict === "throttled")) throw error;
        this.#throttled(error.askedWaitMs);
      }
    }
  }

  #throttled(resetMs: number | null): void {
    const { ledger, runtime } = this.#options;
    this.#waits++;
    this.#throttledInARow++;
    ledger.learn({ at: runtime.now(), limit: null, remaining: 0, resetMs, refused: true });
    const waitMs = throttleWaitMs(resetMs, this.#throttledInARow, runtime.random());
    const how = resetMs === null ? " without saying for how long" : "";
    this.#gate.throttle(waitMs, `the service asked us to wait${how}`);
  }

  #address(path: string, query: Query): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.append(name, String(value));
    }
    const search = parameters.size === 0 ? "" : `?${parameters.toString()}`;
    return `${this.#connection.origin.pathname.replace(/\/$/, "")}${path}${search}`;
  }

  #refusal(failed: AttemptFailed, address: string, once: boolean): Error {
    const message = this.#redact(
      `Cannot read ${this.#connection.origin.origin}${address}: ${failed.message}`,
    );
    const options = { cause: failed.cause };
    switch (failed.verdict) {
      case "configuration":
        return new ConfigurationError(message, options);
      case "permanent":
        return new PermanentAnswer(message, failed.status);
      case "garbled":
        return new GarbledAnswer(message, options);
      case "transient":
      case "throttled":
        if (once || failed.status === 500) {
          return new ServerFault(message, failed.message, this.#retrier.hadAnswers);
        }
        return this.#retrier.silence(message, failed.cause);
    }
  }

  /** A service may echo a credential in its complaint about it. */
  #redact(text: string): string {
    const { token } = this.#options;
    const clean = this.#connection.clean.text(text);
    return token === null ? clean : clean.replaceAll(token, "…");
  }
}
