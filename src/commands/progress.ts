/** The progress of a stage as one line: a bar on a terminal, and rate and time left where the whole is known. */

export interface Progress {
  readonly done: number;
  /** Null where the whole is not known. */
  readonly of: number | null;
  /** What is counted, in the plural: `pages`. */
  readonly what: string;
  /** Stands before all else: `reading in slices`. */
  readonly activity?: string;
}

/** @param progress a line, or what a line is made of */
export type ShowProgress = (progress: string | Progress) => void;

/** Cells of a bar. */
const CELLS = 20;

/** A rate that was measured for a shorter time says nothing. */
const LEAST_MS = 2_000;

/**
 * Makes the lines of one stage.
 *
 * The rate counts from the first report on: a render bundles before its first page.
 *
 * @param hasBar whether the line begins with a bar
 * @param now milliseconds
 */
export function progressLines(hasBar: boolean, now = () => performance.now()) {
  let first: { readonly at: number; readonly done: number; readonly what: string } | undefined;
  return (progress: string | Progress): string => {
    if (typeof progress === "string") return progress;
    const { done, of, what, activity } = progress;
    if (first === undefined || first.what !== what || first.done > done)
      first = { at: now(), done, what };
    const took = now() - first.at;
    const perSecond = took < LEAST_MS ? 0 : ((done - first.done) / took) * 1_000;
    const left = of === null || perSecond === 0 ? 0 : (of - done) / perSecond;
    const parts = [
      of === null ? `${count(done)} ${what}` : `${count(done)} of ${count(of)} ${what}`,
      perSecond === 0 ? "" : rateOf(perSecond),
      left <= 0 ? "" : `about ${durationOf(left)} left`,
    ];
    const bar = hasBar && of !== null && of > 0 ? `${barOf(done / of)} ` : "";
    const before = activity === undefined ? "" : `${activity}: `;
    return before + bar + parts.filter((part) => part !== "").join(", ");
  };
}

const count = (number: number): string => number.toLocaleString("en");

function barOf(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * CELLS);
  return "█".repeat(filled) + "░".repeat(CELLS - filled);
}

const rateOf = (perSecond: number): string =>
  perSecond >= 1 ? `${count(Math.round(perSecond))}/s` : `${(perSecond * 60).toFixed(1)}/min`;

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
