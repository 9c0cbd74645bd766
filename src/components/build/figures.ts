/**
 * The figures of the last harvest as tables of names and values, in English, and the marks of the chart of builds. Upstream
 * text in them is made printable here.
 */
import type { BuildEntry } from "../../contract/results.ts";
import { printable } from "../../contract/text.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { BuildPage } from "../../site/index.ts";

/** With the code of a language where the value is in one of its own; empty where it is unknown. */
type Row = readonly [name: string, value: string, lang?: string];

/** The tables by their captions, those that have rows. */
export function tablesOf({ number, unit }: Locale, page: BuildPage): [string, readonly Row[]][] {
  const { harvest, night, merged, pictures } = page;
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
        // English, as every text of the harvest's own.
        ...(harvest.assumption === null
          ? []
          : [["True as long as", printable(harvest.assumption), "en"] as const]),
      ],
    "Records that could not be read": (night?.unread ?? []).map(({ offset, reason }) => [
      `Place ${number(offset)}`,
      printable(reason),
      "en",
    ]),
    // The name that is shown, and the spellings that it replaces; their language is unknown.
    "Spellings that are one name": merged.first.map(({ name, others }) => [
      printable(name, 80),
      others.map((other) => printable(other, 80)).join(" · "),
      "",
    ]),
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
