/** `npm run bench -- render`: a full build with the bare theme, its shards, and the default theme, against the floors. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { AS_COMMAND, measure, SITE, type Measured } from "./measure.ts";
import { printRounds, type Row } from "./table.ts";
import type { Workspace } from "./workspace.ts";

const FLOOR = join(import.meta.dirname, "floor/render.ts");

interface Counts {
  readonly pages: number;
  readonly bytes?: number;
}

const SHARDS = 4;

export function benchRender(quotes: number): Promise<void> {
  return printRounds(`Full build, ${quotes} quotes`, quotes, round);
}

async function round(workspace: Workspace): Promise<Row[]> {
  const { folder, state } = workspace;
  const out = join(folder, "out");
  const cleared = (...paths: string[]): void => {
    for (const path of [out, ...paths]) rmSync(path, { recursive: true, force: true });
  };
  const site = (theme: string, ...shard: string[]): Promise<Measured<Counts>> =>
    measure<Counts>(SITE, [theme, state, out, ...shard], { flags: AS_COMMAND });
  const pages = ({ result }: Measured<Counts>): string => `${result.pages} pages`;
  cleared(state);
  await workspace.publish(0);
  const floor = await measure<Counts>(FLOOR, [await workspace.corpusFile(0), out]);
  cleared();
  const cold = await site("bare");
  const rendered = ["memo.bin", "output.sqlite", "output.sqlite-wal", "output.sqlite-shm"].map(
    (name) => join(state, name),
  );
  cleared(...rendered);
  const warm = await site("bare");
  const shards: Measured<Counts>[] = [];
  for (let index = 1; index <= SHARDS; index++) {
    cleared(...rendered);
    shards.push(await site("bare", `${index}/${SHARDS}`));
  }
  const longest = shards.reduce((a, b) => (a.seconds > b.seconds ? a : b));
  cleared();
  const quotePages = await measure<Counts>(FLOOR, [await workspace.corpusFile(0), out], {
    env: { QUOTE_PAGES: "1" },
  });
  cleared(...rendered, join(state, "plan.sqlite"));
  const theme = await site("default");
  return [
    {
      what: "floor, one thread",
      run: floor,
      note: `${pages(floor)}, ${floor.result.bytes} bytes`,
    },
    { what: "bare theme, from nothing", run: cold, floor, atMost: 1.6, note: pages(cold) },
    { what: "bare theme, plan kept", run: warm, floor, note: pages(warm) },
    {
      what: `longest of ${SHARDS} shards`,
      run: longest,
      floor: warm,
      atMost: 0.35,
      note: "of the run above",
    },
    { what: "floor with a page a quote", run: quotePages, note: pages(quotePages) },
    {
      what: "default theme, from nothing",
      run: theme,
      floor: quotePages,
      atMost: 2.5,
      note: pages(theme),
    },
  ];
}
