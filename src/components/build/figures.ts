/** The figures of the last harvest as tables, in English, and the shapes of the chart of builds. */
import { printable } from "../../util/text.ts";
import type { Locale } from "../../i18n/locale.ts";
import { durationOf, type BuildPage, type HistoryEntry } from "../../site/index.ts";

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

/** In units of the drawing: a band for each figure, from the top. */
export const CHART = {
  ...{ width: 600, height: 290 },
  quotes: { top: 0, height: 100 },
  calls: { top: 110, height: 50 },
  news: { top: 170, height: 50 },
  minutes: { top: 230, height: 60 },
} as const;

/** Radius of a dot: of a calm build, and of one that `isOdd()`. */
const DOT = { calm: 3, odd: 7 };

/** Stages that have a colour of their own in the bars of minutes; all others share the last. */
export const STAGES = ["Harvest", "Pictures", "Render", "Search", "Audit", "Other"] as const;

/** Whether a build did not read the whole collection, or waited for the service. */
const isOdd = ({ label, waitedMs }: HistoryEntry): boolean =>
  label === "partial" || label === "best-effort" || (waitedMs ?? 0) > 0;

/** Keeps the marks at the edges inside of the drawing. */
const MARGIN = 8;

/** Milliseconds by the stages of `STAGES`. */
function stagesOf({ stages }: HistoryEntry): readonly (readonly [stage: string, ms: number])[] {
  const known = new Set<string>(STAGES);
  const own = Map.groupBy(Object.entries(stages), ([title]) =>
    known.has(title) ? title : "Other",
  );
  return STAGES.map((stage) => {
    return [stage, (own.get(stage) ?? []).reduce((sum, [, ms]) => sum + ms, 0)] as const;
  });
}

/**
 * The shapes of the chart: polylines and dots for quotes; bars for requests, for new and gone quotes, and for the time of the
 * stages; crosses for builds that failed. A build that was not complete or waited has a large dot, and a band over the whole
 * height.
 *
 * The line's scale is from the least to the most quotes, that of the bars begins at 0. A line has a gap where a build has no
 * number of quotes.
 */
export function trendOf(builds: readonly HistoryEntry[]) {
  const step = (CHART.width - 2 * MARGIN) / Math.max(1, builds.length);
  const width = round(Math.min(24, step * 0.6));
  const middle = (index: number): number => round(MARGIN + (index + 0.5) * step);
  const known = builds.flatMap(({ quotes }) => quotes ?? []);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  const room = CHART.quotes.height - 2 * MARGIN;
  // In the middle if all numbers are equal.
  const heightOf = (quotes: number): number =>
    round(MARGIN + (span === 0 ? room / 2 : room * (1 - (quotes - least) / span)));
  const bar = (index: number, y: number, height: number, kind: string) => {
    return { x: round(middle(index) - width / 2), y: round(y), width, height, class: kind };
  };
  /** A height for a value; a value that is not 0 is seen. */
  const scaled = (value: number, most: number, height: number): number =>
    value === 0 ? 0 : round(Math.max(1, (value / most) * height));
  const largest = (values: readonly number[]): number => Math.max(1, ...values);
  const mostCalls = largest(builds.map(({ calls }) => calls ?? 0));
  const mostNews = largest(
    builds.flatMap(({ change }) => [change?.added ?? 0, change?.removed ?? 0]),
  );
  const longest = largest(builds.map(durationOf));
  const runs: { x: number; y: number; r: number }[][] = [[]];
  for (const [index, build] of builds.entries()) {
    const { quotes } = build;
    const r = isOdd(build) ? DOT.odd : DOT.calm;
    if (quotes === null) runs.push([]);
    else runs.at(-1)?.push({ x: middle(index), y: heightOf(quotes), r });
  }
  const bars = builds.flatMap((build, index) => {
    const { calls, news, minutes } = CHART;
    const [added = 0, gone = 0] = [build.change?.added, build.change?.removed];
    const called = scaled(build.calls ?? 0, mostCalls, calls.height);
    const axis = news.top + news.height / 2;
    const up = scaled(added, mostNews, news.height / 2);
    let end: number = minutes.top + minutes.height;
    const times = stagesOf(build).map(([stage, ms]) => {
      const height = scaled(ms, longest, minutes.height - STAGES.length);
      return bar(index, (end -= height), height, stage.toLowerCase());
    });
    return [
      bar(index, calls.top + calls.height - called, called, "calls"),
      bar(index, axis - up, up, "new"),
      bar(index, axis, scaled(gone, mostNews, news.height / 2), "gone"),
      ...times,
    ].filter(({ height }) => height > 0);
  });
  return {
    odd: builds.flatMap((build, index) =>
      isOdd(build) ? { x: round(middle(index) - step / 2), width: round(step) } : [],
    ),
    lines: runs
      .filter((run) => run.length > 1)
      .map((run) => run.map(({ x, y }) => `${x},${y}`).join(" ")),
    dots: runs.flat(),
    bars,
    crosses: builds.flatMap(({ status }, index) =>
      status === 0 ? [] : `M${middle(index) - 5},${CHART.calls.top + 37}l10,10m0,-10l-10,10`,
    ),
  };
}

/** The stages that took longest, with their seconds. */
export const longestStages = (entry: HistoryEntry, most: number): (readonly [string, number])[] =>
  stagesOf(entry)
    .filter(([, ms]) => ms > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([stage, ms]) => [stage, ms / 1_000] as const);

const round = (value: number): number => Math.round(value * 10) / 10;
