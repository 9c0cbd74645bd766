/** The figures of the last harvest as tables, in English, and the shapes of the chart of builds. */
import { printable } from "../../util/text.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { BuildPage, HistoryEntry } from "../../site/index.ts";

/** `lang` is the language of a value that differs from the page's; empty if unknown. */
type Row = readonly [name: string, value: string, lang?: string];

/** @returns captions and rows; tables without rows are left out */
export function tablesOf({ number, unit }: Locale, page: BuildPage): [string, readonly Row[]][] {
  const { harvest, night, merged, pictures, summary } = page;
  const limit = night?.quota?.limit ?? null;
  const left = night && limit !== null ? Math.max(0, limit - night.calls) : null;
  const reasons = Object.entries(pictures.reasons);
  const failed = reasons.reduce((sum, [, count]) => sum + count, 0);
  const tables: Record<string, readonly Row[] | false | null> = {
    "The last harvest": harvest && [
      ["Requests made", number(harvest.requests)],
      ["Requests repeated", number(harvest.retries)],
      ["Gaps repaired", number(harvest.repaired)],
      ["Quotes met twice", number(harvest.duplicates)],
      ["Removed quotes", number(harvest.removed)],
      ["Records that could not be read", number(harvest.quarantined)],
    ],
    "What changed": night &&
      harvest && [
        ["New quotes", number(night.change.added)],
        ["Changed quotes", number(night.change.changed)],
        ["Removed quotes", number(night.change.removed)],
        ["Calls in this build", number(night.calls)],
        ["Calls left of the quota", left === null ? "not known" : number(left)],
        ["Waiting", unit(harvest.waitedMs / 1_000, "second")],
        ...(harvest.assumption === null
          ? []
          : [["True as long as", printable(harvest.assumption), "en"] as const]),
      ],
    "Records that could not be read": (night?.unread ?? []).map(({ offset, reason }) => [
      `Place ${number(offset)}`,
      printable(reason),
      "en",
    ]),
    // The shown name, and the spellings that it replaces, in an unknown language.
    "Spellings that are one name": merged.first.map(({ name, others }) => [
      printable(name, 80),
      others.map((other) => printable(other, 80)).join(" · "),
      "",
    ]),
    Copies: summary.copies > 0 && [
      ["Quotes shown with another that says the same", number(summary.copies)],
    ],
    Pictures: pictures.shown + failed > 0 && [
      ["Shown", number(pictures.shown)],
      ["Failed", number(failed)],
      ...reasons.map(([reason, count]): Row => [reason, number(count)]),
    ],
  };
  return Object.entries(tables).flatMap(([caption, rows]) =>
    rows && rows.length > 0 ? [[caption, rows]] : [],
  );
}

/** In units of the drawing. */
export const CHART = { width: 600, height: 180, line: 100, bars: 60 } as const;

/** Radius of a dot: of a calm build, and of one that `isOdd()`. */
const DOT = { calm: 3, odd: 7 };

/** Whether a build did not read the whole collection, or waited for the service. */
const isOdd = ({ label, waitedMs }: HistoryEntry): boolean =>
  label === "partial" || label === "best-effort" || (waitedMs ?? 0) > 0;

/** Keeps the marks at the edges inside of the drawing. */
const MARGIN = 8;

/**
 * The shapes of the chart: polylines and dots for quotes, large where a build was not complete or waited, bars for requests, crosses for builds that failed.
 *
 * The line's scale is from the least to the most quotes, that of the bars begins at 0. A line has a gap where a build has no
 * number of quotes.
 */
export function trendOf(builds: readonly HistoryEntry[]) {
  const step = (CHART.width - 2 * MARGIN) / Math.max(1, builds.length);
  const middle = (index: number): number => round(MARGIN + (index + 0.5) * step);
  const known = builds.flatMap(({ quotes }) => quotes ?? []);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  const room = CHART.line - 2 * MARGIN;
  // In the middle if all numbers are equal.
  const heightOf = (quotes: number): number =>
    round(MARGIN + (span === 0 ? room / 2 : room * (1 - (quotes - least) / span)));
  const most = Math.max(1, ...builds.map(({ calls }) => calls ?? 0));
  const runs: { x: number; y: number; r: number }[][] = [[]];
  for (const [index, build] of builds.entries()) {
    const { quotes } = build;
    const r = isOdd(build) ? DOT.odd : DOT.calm;
    if (quotes === null) runs.push([]);
    else runs.at(-1)?.push({ x: middle(index), y: heightOf(quotes), r });
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

const round = (value: number): number => Math.round(value * 10) / 10;
