/** What was measured, as a table: one row a run, with its ratio to the floor of the same run. */
import type { Measured } from "./measure.ts";

export interface Row {
  readonly what: string;
  readonly run: Measured<unknown>;
  /** Its floor, and the ratio that is aimed at. */
  readonly floor?: Measured<unknown>;
  readonly atMost?: number;
  readonly note?: string;
}

export function printTable(title: string, rows: readonly Row[]): void {
  const lines = rows.map(({ what, run, floor, atMost, note = "" }) => [
    what,
    `${run.seconds.toFixed(2)} s`,
    run.cpuSeconds === null ? "–" : `${run.cpuSeconds.toFixed(2)} s`,
    run.peakMegabytes === null ? "–" : `${run.peakMegabytes.toFixed(0)} MB`,
    floor === undefined ? "" : (run.seconds / floor.seconds).toFixed(2),
    atMost === undefined ? "" : `≤ ${atMost}`,
    note,
  ]);
  const head = ["", "wall", "CPU", "peak", "of floor", "aim", ""];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  console.log(`\n${title}`);
  for (const line of [head, ...lines]) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
