/**
 * The figures of the last harvest as rows of a name and a value, in English, and the marks of the chart of builds. Upstream
 * text in them is made printable here.
 */
import { printable } from "../../contract/text.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { BuildPage } from "../../site/index.ts";
import type { BuildEntry } from "../../contract/results.ts";

/** With the code of a language where the value is in one of its own; empty where it is unknown. */
export type BuildRow = readonly [name: string, value: string, lang?: string];

const COUNTS = [
  ["Requests made", "requests"],
  ["Requests repeated", "retries"],
  ["Gaps repaired", "repaired"],
  ["Quotes met twice", "duplicates"],
  ["Removed quotes", "removed"],
  ["Records that could not be read", "quarantined"],
] as const;

/** What the harvest cost and met. */
export function harvestRows(locale: Locale, { harvest }: BuildPage): BuildRow[] {
  if (harvest === null) return [];
  return COUNTS.map(([name, count]) => [name, locale.number(harvest[count])]);
}

export function newsRows(locale: Locale, { night, harvest }: BuildPage): BuildRow[] {
  if (night === null || harvest === null) return [];
  const limit = night.quota?.limit ?? null;
  const left = limit === null ? null : Math.max(0, limit - night.calls);
  return [
    ["New quotes", locale.number(night.change.added)],
    ["Changed quotes", locale.number(night.change.changed)],
    ["Removed quotes", locale.number(night.change.removed)],
    ["Calls in this build", locale.number(night.calls)],
    ["Calls left of the quota", left === null ? "not known" : locale.number(left)],
    ["Waiting", locale.unit(harvest.waitedMs / 1_000, "second")],
    // English, as every text of the harvest's own.
    ...(harvest.assumption === null
      ? []
      : [["True as long as", printable(harvest.assumption), "en"] as const]),
  ];
}

export function unreadRows(locale: Locale, { night }: BuildPage): BuildRow[] {
  return (night?.unread ?? []).map(({ offset, reason }) => [
    `Place ${locale.number(offset)}`,
    printable(reason),
    "en",
  ]);
}

/** The name that is shown, and the spellings that it replaces; their language is unknown. */
export function mergedRows({ merged }: BuildPage): BuildRow[] {
  return merged.first.map(({ name, others }) => [
    printable(name, 80),
    others.map((other) => printable(other, 80)).join(" · "),
    "",
  ]);
}

export function pictureRows(locale: Locale, { pictures }: BuildPage): BuildRow[] {
  const reasons = Object.entries(pictures.reasons);
  if (pictures.shown === 0 && reasons.length === 0) return [];
  const failed = reasons.reduce((sum, [, count]) => sum + count, 0);
  return [
    ["Shown", locale.number(pictures.shown)],
    ["Failed", locale.number(failed)],
    ...reasons.map(([reason, count]): BuildRow => [reason, locale.number(count)]),
  ];
}

/** In the units of the drawing, which has no text of its own. */
export const CHART = { width: 600, height: 180, line: 100, bars: 60 } as const;

/** Room at each end, so that the first and last marks are whole. */
const MARGIN = 8;

/**
 * Where the chart of the last builds puts its marks: `points` of a polyline for each run of builds whose quotes are known, and
 * path data of a cross for each build that failed.
 *
 * Quotes and calls have scales of their own: the line shows its own ups and downs, the bars begin at nothing.
 */
export function trendOf(builds: readonly BuildEntry[]) {
  const step = (CHART.width - 2 * MARGIN) / Math.max(1, builds.length);
  const middle = (index: number): number => round(MARGIN + (index + 0.5) * step);
  const known = builds.flatMap(({ quotes }) => quotes ?? []);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  const room = CHART.line - 2 * MARGIN;
  // From the least at the bottom of the line's part to the most at its top; the middle where all are alike.
  const heightOf = (quotes: number): number =>
    round(MARGIN + (span === 0 ? room / 2 : room * (1 - (quotes - least) / span)));
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

const round = (value: number): number => Math.round(value * 10) / 10;
