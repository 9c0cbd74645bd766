/** `npm run bench -- rebuild`: the build after 1 % changed, after no change, and after the output folder was lost. */
import { cpSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { AS_COMMAND, measure, SITE, type Measured } from "./measure.ts";
import { printRounds, type Row } from "./table.ts";
import type { Version, Workspace } from "./workspace.ts";

const FLOOR = join(import.meta.dirname, "floor/incremental.ts");

interface Counts {
  readonly rendered: number;
}

export function benchRebuild(quotes: number): Promise<void> {
  return printRounds(`Rebuild, ${quotes} quotes`, quotes, round);
}

async function round(workspace: Workspace): Promise<Row[]> {
  const { folder, state } = workspace;
  const out = join(folder, "out");
  const floorOut = join(folder, "floor");
  const keys = join(folder, "keys");
  const site = (): Promise<Measured<Counts>> =>
    measure<Counts>(SITE, ["bare", state, out], { flags: AS_COMMAND });
  const floorOf = async (version: Version): Promise<Measured<Counts>> =>
    measure<Counts>(FLOOR, [await workspace.corpusFile(version), floorOut, keys]);
  const rendered = ({ result }: Measured<Counts>): string => `${result.rendered} pages`;
  for (const path of [state, out, floorOut, keys]) {
    rmSync(path, { recursive: true, force: true });
  }
  await workspace.publish(0);
  await floorOf(0);
  await site();
  await workspace.publish(1);
  const floor = await floorOf(1);
  rmSync(floorOut, { recursive: true });
  const nightly = await site();
  const before = datesOf(out);
  const nothing = await site();
  const after = datesOf(out);
  const touched = [...after].filter(([file, date]) => before.get(file) !== date).length;
  const started = performance.now();
  cpSync(out, floorOut, { recursive: true });
  const copied = (performance.now() - started) / 1_000;
  rmSync(out, { recursive: true });
  const lost = await site();
  const copy: Measured<Counts> = {
    seconds: copied,
    cpuSeconds: null,
    peakMegabytes: null,
    result: { rendered: 0 },
  };
  return [
    { what: "incremental floor, 1 % changed", run: floor, note: rendered(floor) },
    { what: "bare theme, 1 % changed", run: nightly, floor, atMost: 1.5, note: rendered(nightly) },
    {
      what: "bare theme, nothing changed",
      run: nothing,
      note: `at most 2.5 s; ${touched} files touched`,
    },
    { what: "a copy of the output folder", run: copy },
    {
      what: "bare theme, output folder lost",
      run: lost,
      floor: copy,
      note: rendered(lost),
    },
  ];
}

/** When each file of a folder was written, in nanoseconds. */
function datesOf(folder: string): Map<string, bigint> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    files.map((file) => [file, statSync(join(folder, file), { bigint: true }).mtimeNs]),
  );
}
