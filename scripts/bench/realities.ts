/**
 * `npm run bench -- realities`: harvests small services that behave as ordinary servers do, each kind alone and some pairs at
 * random, and prints what three nights came to. `SEED` repeats the pairs. A `!` marks more requests than the bound on a run
 * (docs/walk.md, section 7) and one for each page, of the size that the service serves;
 * a record that makes the service fail may add 15 when a list first meets it.
 */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "./corpus/random.ts";
import { KIND_NAMES, type KindName } from "./realities/kinds.ts";
import { Nights, type Night } from "./realities/nights.ts";

const NIGHTS = 3;
const QUOTES = 600;
const CAP = 50;
const CHANGES = 2;

export async function benchRealities(pairs: number, seed: number): Promise<void> {
  console.log(`${QUOTES} quotes in pages of ${CAP}, ${NIGHTS} nights, seed ${seed}\n`);
  print("service", ["statuses", "complete", "requests", "bound", "lost", "extra", "wrong"]);
  for (const name of KIND_NAMES) await measure([name]);
  const random = seededRandom(seed);
  const draw = (): KindName => random.pick(KIND_NAMES);
  for (let done = 0; done < pairs; done++) await measure([draw(), draw()]);
}

async function measure(names: readonly KindName[]): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-realities-"));
  await using nights = await Nights.begin({ stateDir: folder.path, quotes: QUOTES, cap: CAP });
  const all: Night[] = [];
  while (all.length < NIGHTS) {
    all.push(await nights.run(names));
    nights.change(CHANGES);
  }
  const list = (key: "status" | "requests" | "lost" | "extra" | "wrong"): string =>
    all.map((night) => night[key]).join(" ");
  const complete = all.map(({ isComplete }) => (isComplete ? "yes" : "no")).join(" ");
  // The smallest page of three nights has the largest bound.
  const bound = Math.max(...all.map((night) => night.bound));
  const isOver = all.some(({ requests }) => requests > bound);
  const figures = [
    ...[list("status"), complete, list("requests"), `${bound}${isOver ? " !" : ""}`],
    ...[list("lost"), list("extra")],
  ];
  print(names.join(" + "), [...figures, list("wrong")]);
  for (const message of new Set(all.map((night) => night.message).filter((one) => one !== ""))) {
    console.log(`    ${message}`);
  }
}

const WIDTHS = [11, 12, 14, 6, 12, 10, 10];

function print(service: string, cells: readonly string[]): void {
  console.log(service.padEnd(60) + cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join(" "));
}
