/**
 * Repeats requests that fail, for a time and not for a number of tries (docs/walk.md, section 8).
 *
 * After two failures in a row it asks for the start of the list. While that fails too, the service is busy or away, and the
 * client waits. Where it is served, and the request fails twice in a row again, the failure belongs to the address, and the
 * caller decides. In a row: a balancer with a dead server behind it lets every second request fail.
 */
import { ServiceUnavailable, StoppedEarly } from "../contract/errors.ts";
import type { KnownPace } from "../contract/ledger.ts";
import { PATIENCE, type ClientOptions } from "./connection.ts";
import type { Pace } from "./pace.ts";
import { AttemptFailed } from "./verdict.ts";

/** Failures in a row at one address before the start of the list is asked for. */
const IN_A_ROW = 2;
/** Good starts of the list, each after such failures, that make it a failure of that address. */
const AGREEING = 2;

/** How long a credential that has worked is doubted, in milliseconds: a wrong one is told soon. */
const CREDENTIAL_MS = 30_000;

/** Part of the time before a first good answer after which one is believed that says that nothing is left. */
const DOUBTED_PART = 0.75;

/** Failures that slow the pace wherever they happen. */
const PACED: ReadonlySet<AttemptFailed["verdict"]> = new Set(["busy", "unreachable"]);

interface How {
  readonly once: boolean;
  readonly isStart: boolean;
  /** Whether it asks for no more than the first quote. */
  readonly isFirst: boolean;
}

/** How long a run goes on without a good answer, in milliseconds, and the option that sets it. */
interface SilenceLimit {
  readonly ms: number;
  readonly option?: string;
}

type PatienceOptions = Pick<
  ClientOptions,
  "runtime" | "report" | "patience" | "ledger" | "maxWaitMs" | "hasServed"
>;

export class Patience {
  readonly #options: PatienceOptions;
  readonly #pace: Pace;
  readonly #askStart: () => Promise<unknown>;
  /** Requests that were repeated. */
  retries = 0;
  hadAnswers = false;
  /** Refusals since the last good answer, of any address. */
  #refused = 0;
  /** Statuses with which the service refuses some addresses, and not all. */
  readonly #ofPlace = new Set<number>();
  /** The last good answer, or the first request; later by the waits that the service asked for. */
  #quietSince: number | null = null;
  /** The question for the start of the list, shared by all requests that wait for it. */
  #checking: Promise<void> | null = null;
  /** Requests that failed and are not settled, and the pace before the first of them: it may belong to one address. */
  #failing = 0;
  #calm: KnownPace;
  /** Thrown by every later request; null while there is patience. */
  #stopped: Error | null = null;

  /** @param askStart requests the start of the list, once */
  constructor(options: PatienceOptions, pace: Pace, askStart: () => Promise<unknown>) {
    this.#options = options;
    this.#pace = pace;
    this.#askStart = askStart;
    this.#calm = pace.now;
  }

  /** Notes a good answer. */
  noteGood(): void {
    this.hadAnswers = true;
    this.#refused = 0;
    this.#quietSince = this.#options.runtime.now();
    this.#pace.speedUp();
  }

  /** Whether a first answer is still doubted that says that nothing is left of what the service had. */
  get doubtsFirst(): boolean {
    const now = this.#options.runtime.now();
    const end = (this.#quietSince ?? now) + DOUBTED_PART * this.#firstLimit.ms;
    return !this.hadAnswers && now < end;
  }

  /** Goes on at the pace before the failures that are not settled. */
  forgetFailures(): void {
    this.#pace.restore(this.#calm);
  }

  /** Notes that all requests wait because the service asked for it: this is no silence. */
  noteAskedWait(ms: number): void {
    if (this.#quietSince !== null) this.#quietSince += ms;
  }

  /**
   * Sends a request until it succeeds, or until waiting does not help. Sends nothing more after giving up.
   *
   * @param how.once whether a request that may fail by itself is not repeated; a busy service is still waited for
   * @param how.isStart whether it asks for the start of the list itself
   * @param how.isFirst whether it asks for the first quote alone
   * @throws {AttemptFailed} when the failure belongs to this address
   * @throws {ServiceUnavailable | StoppedEarly} when the service itself fails for too long
   */
  async run<T>(send: () => Promise<T>, how: How): Promise<T> {
    if (this.#failing === 0) this.#calm = this.#pace.now;
    const failing = { isNoted: false };
    try {
      return await this.#repeat(send, how, failing);
    } finally {
      if (failing.isNoted) this.#failing--;
    }
  }

  async #repeat<T>(
    send: () => Promise<T>,
    { once, isStart, isFirst }: How,
    failing: { isNoted: boolean },
  ): Promise<T> {
    let [agreeing, failures] = [0, 0];
    let [isDoubted, isRetried] = [false, false];
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(send);
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error;
        if (!failing.isNoted) this.#failing++;
        failing.isNoted = true;
        // A run may begin at a place that is refused, or with a limit that is forbidden: then the credential is not wrong.
        const mayBeOther = error.status === 401 ? !isStart : !isFirst;
        const isInDoubt = error.isOfPlace || (isOfCredential(error) && mayBeOther);
        if (isInDoubt && !this.hadAnswers) {
          await (this.#checking ??= this.#untilHealthy());
          isDoubted = true;
          continue;
        }
        // What was served before may be refused with all else for now: a limiter answers with any status.
        const isRefused = error.verdict === "refused" && this.hadAnswers;
        if (isRefused && isStart) this.#pace.slowDown();
        else if (isRefused && this.#mayBeAway(error) && !isRetried) {
          isRetried = true;
          this.#pace.slowDown();
          await (this.#checking ??= this.#untilHealthy());
          continue;
        }
        const mayPass = this.#mayPass(error);
        if (mayPass) this.#pace.slowDown();
        const isWaitedFor = (isRefused && isStart) || mayPass;
        if (!isWaitedFor && !isRepeatable(error, once, attempt)) {
          if (isRetried) this.#noteOfPlace(error);
          throw error;
        }
        if (!isDoubted) {
          this.#wait(error);
          if (++failures < IN_A_ROW) continue;
          await (this.#checking ??= this.#untilHealthy());
          failures = 0;
        }
        if (isDoubted || ++agreeing >= (once ? 1 : AGREEING)) {
          this.#pace.restore(this.#calm);
          throw error;
        }
      }
    }
  }

  /** Whether what looks like a wrong setting may be maintenance or a cold server: the same settings have worked. */
  #mayPass({ verdict, status }: AttemptFailed): boolean {
    const { hasServed = false } = this.#options;
    return hasServed && !this.hadAnswers && verdict === "wrong setting" && status !== 407;
  }

  /** Whether a refusal, with the one before it, may be of all addresses. */
  #mayBeAway({ status }: AttemptFailed): boolean {
    return ++this.#refused >= IN_A_ROW && !this.#ofPlace.has(status);
  }

  /** Notes a refusal that repeats while the start of the list is served. */
  #noteOfPlace({ status }: AttemptFailed): void {
    this.#ofPlace.add(status);
    this.#pace.restore(this.#calm);
  }

  async #attempt<T>(send: () => Promise<T>): Promise<T> {
    if (this.#stopped !== null) throw this.#stopped;
    this.#quietSince ??= this.#options.runtime.now();
    const value = await send();
    this.noteGood();
    return value;
  }

  /** Resolves when the start of the list is served. */
  async #untilHealthy(): Promise<void> {
    try {
      for (let failures = 1; ; failures++) {
        try {
          await this.#attempt(this.#askStart);
          return;
        } catch (error) {
          if (!(error instanceof AttemptFailed)) throw error;
          const isWrong = error.verdict === "wrong setting" && !this.#mayPass(error);
          const isFinal = error.verdict === "no list" || isWrong;
          if (isFinal || (error.verdict === "refused" && !this.hadAnswers)) throw error;
          // The first record alone may fail; then the service itself does. A refused start is not asked without pauses.
          const isOfRecord = error.verdict === "broken" && failures === 1;
          if (!isOfRecord && !PACED.has(error.verdict)) this.#pace.slowDown();
          this.#wait(error);
        }
      }
    } finally {
      this.#checking = null;
    }
  }

  /** Checks the time that is left; the pace makes the next request wait. */
  #wait(failure: AttemptFailed): void {
    const { runtime, report } = this.#options;
    const limit = this.#limitFor(failure);
    const end = (this.#quietSince ?? runtime.now()) + limit.ms;
    const isOver = runtime.now() >= end;
    if (isOver && failure.verdict === "wrong setting") throw failure;
    if (isOver) throw this.#giveUp(failure, limit);
    this.#pace.startBy(end);
    this.retries++;
    report({ kind: "retry", why: failure.message });
  }

  /** Before the first good answer. The end of --max-wait is no early stop there: the service is unavailable. */
  get #firstLimit(): SilenceLimit {
    const { ledger, maxWaitMs, patience = PATIENCE } = this.#options;
    const leftMs = Math.max(0, maxWaitMs - ledger.waitedMs);
    const byWait = { ms: leftMs, option: "--max-wait" };
    return lesser({ ms: patience.firstMs, option: "--first-wait" }, byWait);
  }

  #limitFor(failure: AttemptFailed): SilenceLimit {
    const { unreachableMs, silenceMs } = this.#options.patience ?? PATIENCE;
    if (this.hadAnswers) return { ms: silenceMs, option: "--max-silence" };
    if (failure.verdict === "unreachable") return lesser(this.#firstLimit, { ms: unreachableMs });
    if (isOfCredential(failure)) return lesser(this.#firstLimit, { ms: CREDENTIAL_MS });
    return this.#firstLimit;
  }

  #giveUp(failure: AttemptFailed, { ms, option }: SilenceLimit): Error {
    const advice = failure.advice ?? (option ? `${option} sets the time` : "");
    // A pace that brought no answer is none for the next run, which begins slower than the last one that did.
    this.#pace.restore(this.#calm);
    this.#pace.slowDown();
    const what = `no good answer for ${Math.round(ms / 1_000)} s: ${[failure.message, advice].filter(Boolean).join("; ")}`;
    const options = { cause: failure.cause };
    this.#stopped = this.hadAnswers
      ? new StoppedEarly(`Cannot continue: ${what}`, options)
      : new ServiceUnavailable(`Cannot read the service: ${what}`, options);
    return this.#stopped;
  }
}

const lesser = (limit: SilenceLimit, other: SilenceLimit): SilenceLimit =>
  other.ms < limit.ms ? other : limit;

const isOfCredential = ({ verdict, status }: AttemptFailed): boolean =>
  verdict === "wrong setting" && (status === 401 || status === 403);

function isRepeatable({ verdict }: AttemptFailed, once: boolean, attempt: number): boolean {
  // The wrong type of JSON is rarely an accident: it is asked for once more.
  if (verdict === "no list") return !once && attempt === 1;
  return verdict === "busy" || verdict === "unreachable" || (verdict === "broken" && !once);
}
