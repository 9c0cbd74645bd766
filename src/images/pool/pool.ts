/**
 * Jobs for child processes that may not survive them.
 *
 * One child does several jobs at a time, on threads of its own: that costs half the memory of a child a core. When it
 * dies, nobody knows over which job, so those it had in hand are done once more, each alone; the guilty one fails.
 */
import { ChildFailed } from "./child.ts";
import { Team, type TeamOptions } from "./team.ts";

/** The job was done and refused; `reason` is the word the child gave. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export class Pool<Job, Result> {
  readonly #together: Team;
  readonly #alone: Team;
  #closed = false;

  constructor(options: TeamOptions) {
    this.#together = new Team(options);
    this.#alone = new Team({ ...options, lanes: 1 });
  }

  /**
   * @throws {JobRefused} when the job itself says no
   * @throws {ChildFailed} when a child crashed or hung over it
   * @throws {Error} when the child met a bug
   */
  async run(job: Job): Promise<Result> {
    let outcome = await this.#together.run(job);
    if (outcome instanceof ChildFailed && !this.#closed) outcome = await this.#alone.run(job);
    if (outcome instanceof ChildFailed) throw outcome;
    if (outcome.ok) return outcome.value as Result;
    if (outcome.reason !== null) throw new JobRefused(outcome.reason, outcome.message);
    throw new Error(`Cannot do a job in a child process: ${outcome.message}`);
  }

  /** Ends every child; jobs in hand and waiting fail. */
  close(): void {
    this.#closed = true;
    this.#together.close();
    this.#alone.close();
  }
}
