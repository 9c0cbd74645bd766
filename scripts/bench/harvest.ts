/** `npm run bench -- harvest`: time and memory of a harvest, against a client that only reads the pages. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { measure, type Measured } from "./measure.ts";
import { withService } from "./service.ts";
import { printRounds, type Row } from "./table.ts";
import type { Workspace } from "./workspace.ts";

const BARE = join(import.meta.dirname, "harvest/bare.ts");
const HARVESTER = join(import.meta.dirname, "harvest/harvester.ts");
const PAGE = "100";
const CONNECTIONS = "2";

interface Harvest {
  readonly walkSeconds: number;
  readonly requests: number;
  readonly label: string;
}

export function benchHarvest(quotes: number): Promise<void> {
  const title = `Harvest, ${quotes} quotes, pages of ${PAGE}, ${CONNECTIONS} connections`;
  return printRounds(title, quotes, round);
}

async function round({ state, quotes, corpusFile }: Workspace): Promise<Row[]> {
  rmSync(state, { recursive: true, force: true });
  return withService(await corpusFile(0), "0", async (url) => {
    const bare = async (connections: string): Promise<Measured<unknown>> => {
      const args = [url, String(quotes), PAGE, connections];
      const run = await measure<{ seconds: number }>(BARE, args);
      // Without the start of the process.
      return { ...run, seconds: run.result.seconds };
    };
    const before = await bare("1");
    const run = await measure<Harvest>(HARVESTER, [url, state, PAGE, CONNECTIONS]);
    const after = await bare("1");
    const { walkSeconds, requests, label } = run.result;
    // The mean of its neighbours: a machine that becomes slower favours neither.
    const floor = { ...after, seconds: (before.seconds + after.seconds) / 2 };
    return [
      { what: "bare client, one connection", run: floor },
      { what: `bare client, ${CONNECTIONS} connections`, run: await bare(CONNECTIONS) },
      { what: "walk", run: { ...run, seconds: walkSeconds }, floor },
      { what: "walk and publication", run, note: `${requests} requests, ${label}` },
    ];
  });
}
