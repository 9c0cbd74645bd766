/** One of `count` parts of the work: the share of one thread or one machine. */
export interface Part {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}
