/**
 * Prints measurements as a table: a line for each run, with its ratio to the floor that was measured in the same round.
 *
 * A line has the medians of the rounds, and the highest peak of memory.
 */
import type { Measured } from "./measure.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

export interface Row {
  readonly what: string;
  readonly run: Measured<unknown>;
  readonly floor?: Measured<unknown>;
  /** What the ratio to the floor is of; default the time that passes. */
  readonly ratioOf?: "seconds" | "cpuSeconds";
  /** The largest ratio to the floor that is acceptable. */
  readonly atMost?: number;
  readonly note?: string;
}

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);

/** Measures several rounds in one workspace: a single round depends too much on the machine. */
export async function printRounds(
  title: string,
  quotes: number,
  round: (workspace: Workspace) => Promise<Row[]>,
): Promise<void> {
  using workspace = makeWorkspace(quotes);
  const rounds: Row[][] = [];
  while (rounds.length < ROUNDS) rounds.push(await round(workspace));
  printTable(title, rounds);
}

/** @param rounds of the same rows each */
export function printTable(title: string, rounds: readonly (readonly Row[])[]): void {
  const lines = (rounds[0] ?? []).map(({ what, atMost, note = "" }, at) => {
    const rows = rounds.flatMap((rows) => rows[at] ?? []);
    const cpu = rows.flatMap(({ run }) => run.cpuSeconds ?? []);
    const peaks = rows.flatMap(({ run }) => run.peakMegabytes ?? []);
    const ratios = rows.flatMap(({ run, floor, ratioOf = "seconds" }) => {
      const [mine, its] = [run[ratioOf] ?? 0, floor?.[ratioOf] ?? 0];
      return its === 0 ? [] : mine / its;
    });
    return [
      what,
      `${median(rows.map(({ run }) => run.seconds)).toFixed(2)} s`,
      cpu.length === 0 ? "–" : `${median(cpu).toFixed(2)} s`,
      peaks.length === 0 ? "–" : `${Math.max(...peaks).toFixed(0)} MB`,
      ratios.length === 0 ? "" : median(ratios).toFixed(2),
      ratios.length < 2 ? "" : ratios.map((ratio) => ratio.toFixed(2)).join(" "),
      atMost === undefined ? "" : `≤ ${atMost}`,
      note,
    ];
  });
  const head = ["", "wall", "CPU", "peak", "of floor", "in each round", "aim", ""];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  console.log(`\n${title}, median of ${rounds.length}`);
  for (const line of [head, ...lines]) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** The upper median; 0 without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
