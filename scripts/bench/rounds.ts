/** Measuring again and again, since one round alone says more about the machine: the median of the rounds counts. */
import { makeGround, type Ground } from "./ground.ts";
import { printTable, type Row } from "./table.ts";

/** How often everything is measured: `BENCH_ROUNDS`, or three times. */
export const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);

/** Measures on one ground and prints the medians. A round leaves whatever it likes in the ground's folder. */
export async function printRounds(
  title: string,
  quotes: number,
  round: (ground: Ground) => Promise<Row[]>,
): Promise<void> {
  const ground = makeGround(quotes);
  try {
    const rounds: Row[][] = [];
    while (rounds.length < ROUNDS) rounds.push(await round(ground));
    printTable(`${title}, ${quotes} quotes`, rounds);
  } finally {
    ground.remove();
  }
}
