/**
 * Where the chart of the last builds puts its marks. Pure: the same builds give the same drawing.
 *
 * Quotes and calls have scales of their own: the line shows its own ups and downs, the bars begin at nothing.
 */
import type { BuildEntry } from "../../contract/build-entry.ts";

/** In the units of the drawing, which has no text of its own. */
export const CHART = { width: 600, height: 180, line: 100, bars: 60 } as const;

/** Room at each end, so that the first and last marks are whole. */
const MARGIN = 8;

export interface Trend {
  /** `points` of a polyline; one for each run of builds whose quotes are known. */
  readonly lines: readonly string[];
  readonly dots: readonly { readonly x: number; readonly y: number }[];
  readonly bars: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  /** Path data of a cross for each build that failed. */
  readonly crosses: readonly string[];
}

export function trendOf(builds: readonly BuildEntry[]): Trend {
  const step = (CHART.width - 2 * MARGIN) / Math.max(1, builds.length);
  const middle = (index: number): number => round(MARGIN + (index + 0.5) * step);
  const heightOf = scale(builds.map(({ quotes }) => quotes).filter((quotes) => quotes !== null));
  const most = Math.max(1, ...builds.map(({ calls }) => calls ?? 0));
  const runs: { x: number; y: number }[][] = [[]];
  for (const [index, { quotes }] of builds.entries()) {
    if (quotes === null) runs.push([]);
    else runs.at(-1)?.push({ x: middle(index), y: heightOf(quotes) });
  }
  return {
    lines: runs
      .filter((run) => run.length > 1)
      .map((run) => run.map(({ x, y }) => `${x},${y}`).join(" ")),
    dots: runs.flat(),
    bars: builds.flatMap(({ calls }, index) => {
      if (calls === null || calls === 0) return [];
      const width = round(Math.min(24, step * 0.6));
      const height = round(Math.max(1, (calls / most) * CHART.bars));
      return { x: round(middle(index) - width / 2), y: CHART.height - height, width, height };
    }),
    crosses: builds.flatMap(({ status }, index) =>
      status === 0 ? [] : `M${middle(index) - 5},${CHART.height - 13}l10,10m0,-10l-10,10`,
    ),
  };
}

/** From the least at the bottom of the line's part to the most at its top; the middle where all are alike. */
function scale(values: readonly number[]): (value: number) => number {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  const room = CHART.line - 2 * MARGIN;
  return (value) => round(MARGIN + (span === 0 ? room / 2 : room * (1 - (value - least) / span)));
}

const round = (value: number): number => Math.round(value * 10) / 10;
