/** Repeats a measurement and prints the median of its rounds: a single round depends too much on the machine. */
import { makeWorkspace, type Workspace } from "./workspace.ts";
import { printTable, type Row } from "./table.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);

/** Measures in one workspace and prints the medians. A round may leave files in the workspace. */
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
