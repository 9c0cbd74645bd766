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

/** Diameter of a dot: of a calm build, and of one that `isOdd()`. */
const DOT = { calm: 6, odd: 14 };

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

/** All marks of one kind as one path, so that sixty builds leave the page far below its budget. It has strokes alone. */
export interface TrendPath {
  /** Names the colour: a figure, or a stage in lower case. */
  readonly class: string;
  /** Width of the stroke: that of a bar, a line or a dot. */
  readonly width: number;
  readonly d: string;
}

/**
 * The chart, in the order in which it is drawn: a line and dots for quotes; bars for requests, for new and gone quotes, and for
 * the time of the stages; crosses for builds that failed. A build that was not complete or waited has a large dot, and a band
 * over the whole height.
 *
 * The line's scale is from the least to the most quotes, that of the bars begins at 0. The line has a gap where a build has no
 * number of quotes.
 *
 * @returns paths without those of no build
 */
export function trendOf(builds: readonly HistoryEntry[]): readonly TrendPath[] {
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
  /** A height for a value; a value that is not 0 is seen. */
  const scaled = (value: number, most: number, height: number): number =>
    value === 0 ? 0 : round(Math.max(1, (value / most) * height));
  const largest = (values: readonly number[]): number => Math.max(1, ...values);
  const mostCalls = largest(builds.map(({ calls }) => calls ?? 0));
  const mostNews = largest(
    builds.flatMap(({ change }) => [change?.added ?? 0, change?.removed ?? 0]),
  );
  const longest = largest(builds.map(durationOf));
  const { calls, news, minutes } = CHART;
  const path = (
    kind: string,
    wide: number,
    mark: (build: HistoryEntry, index: number) => string,
  ) => {
    return { class: kind, width: round(wide), d: builds.map(mark).join("") };
  };
  /** @param of the end from which a bar grows, and its height: upwards if positive */
  const bars = (kind: string, of: (build: HistoryEntry) => readonly [y: number, height: number]) =>
    path(kind, width, (build, index) => {
      const [y, height] = of(build);
      return height === 0 ? "" : `M${middle(index)} ${round(y)}v${-height}`;
    });
  const axis = news.top + news.height / 2;
  const newsOf = (count = 0): number => scaled(count, mostNews, news.height / 2);
  const timesOf = (build: HistoryEntry): number[] =>
    stagesOf(build).map(([, ms]) => scaled(ms, longest, minutes.height - STAGES.length));
  const stage = (name: string, place: number): TrendPath =>
    bars(name.toLowerCase(), (build) => {
      const times = timesOf(build);
      const below = times.slice(0, place).reduce((sum, height) => sum + height, 0);
      return [minutes.top + minutes.height - below, times[place] ?? 0];
    });
  // A stroke of no length with round ends.
  const dots = (odd: boolean): TrendPath =>
    path("dot", odd ? DOT.odd : DOT.calm, (build, index) =>
      build.quotes === null || isOdd(build) !== odd
        ? ""
        : `M${middle(index)} ${heightOf(build.quotes)}h0`,
    );
  const paths = [
    path("odd", step, (build, index) =>
      isOdd(build) ? `M${middle(index)} 0v${CHART.height}` : "",
    ),
    bars("calls", (build) => [
      calls.top + calls.height,
      scaled(build.calls ?? 0, mostCalls, calls.height),
    ]),
    bars("new", ({ change }) => [axis, newsOf(change?.added)]),
    bars("gone", ({ change }) => [axis, -newsOf(change?.removed)]),
    ...STAGES.map(stage),
    path("line", 2, ({ quotes }, index) =>
      quotes === null
        ? ""
        : `${(builds[index - 1]?.quotes ?? null) === null ? "M" : "L"}${middle(index)} ${heightOf(quotes)}`,
    ),
    dots(false),
    dots(true),
    path("failed", 3, ({ status }, index) =>
      status === 0 ? "" : `M${round(middle(index) - 5)} ${calls.top + 37}l10 10m0-10l-10 10`,
    ),
  ];
  return paths.filter(({ d }) => d !== "");
}

/** The stages that took longest, with their seconds. */
export const longestStages = (entry: HistoryEntry, most: number): (readonly [string, number])[] =>
  stagesOf(entry)
    .filter(([, ms]) => ms > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([stage, ms]) => [stage, ms / 1_000] as const);

const round = (value: number): number => Math.round(value * 10) / 10;
