/** How a service can fail to give an answer, as far as a caller acts differently on it. */
import { ServiceUnavailable } from "./errors.ts";

/** An answer that asking again would not change: 400, 404 and their like (harvest.md §6). */
export class PermanentAnswer extends ServiceUnavailable {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A success that is none: HTML, an error told as a success, or something that is no page, twice in a row. */
export class GarbledAnswer extends ServiceUnavailable {}

/** The run can lead to nothing that may be published, and would not if it were resumed (harvest.md §5.6). */
export class WalkFailed extends ServiceUnavailable {}
