/** How a service can fail to give an answer, as far as a caller acts differently on it. */
import { ServiceUnavailable, StoppedEarly } from "./errors.ts";

/** An answer that asking again would not change: 400, 404 and their like (docs/walk.md, section 8). */
export class PermanentAnswer extends ServiceUnavailable {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A success that is none: HTML, an error told as a success, or something that is no page, twice in a row. */
export class GarbledAnswer extends ServiceUnavailable {}

/** The service failed at one request, though it answers others: for a 500 one record may be the reason. */
export class ServerFault extends StoppedEarly {
  /** What the service answered, without the address. */
  readonly reason: string;
  /** Whether the service had answered anything before. */
  readonly hadAnswers: boolean;

  constructor(message: string, reason: string, hadAnswers: boolean) {
    super(message);
    this.reason = reason;
    this.hadAnswers = hadAnswers;
  }
}

/** The run can lead to nothing that may be published, and would not if it were resumed (docs/walk.md, section 7). */
export class WalkFailed extends ServiceUnavailable {}
