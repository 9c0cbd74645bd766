/** Failures of a service that callers handle differently. */
import { ConfigurationError, ServiceUnavailable, StoppedEarly } from "./errors.ts";

/** An answer that a retry would not change: 400, 404 and others (docs/walk.md, section 8). */
export class PermanentAnswer extends ServiceUnavailable {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Two answers in a row with status 200 that are not a page: HTML, an error body, another type of JSON. */
export class GarbledAnswer extends ServiceUnavailable {}

/** The service failed at one request but may answer others: for a 500, a single record may be the cause. */
export class ServerFault extends StoppedEarly {
  /** The failure as a clause, without the address. */
  readonly reason: string;
  /** Whether the service had answered anything before. */
  readonly hadAnswers: boolean;

  constructor(message: string, reason: string, hadAnswers: boolean) {
    super(message);
    this.reason = reason;
    this.hadAnswers = hadAnswers;
  }
}

/** The service ignored a filter of the selection, so this run read other quotes than those selected. */
export class FilterIgnored extends ConfigurationError {}

/** Nothing of this run may be published, and resuming it would not help (docs/walk.md, section 7). */
export class WalkFailed extends ServiceUnavailable {}
