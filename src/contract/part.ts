/** One of `count` parts of a whole: what one thread or one machine of several takes upon itself. */
export interface Part {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}
