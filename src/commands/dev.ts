/**
 * `npm run dev`: Astro's dev server over the published snapshot, after a harvest when there is none.
 *
 * The embedded service runs for the same time, unless the settings name a service. An own file is read at each start.
 */
import { spawn } from "node:child_process";
import { addAbortListener, once } from "node:events";
import { EXIT } from "../contract/errors.ts";
import { devEnvironment, type Settings } from "../settings/settings.ts";
import { settingOf } from "../settings/sources.ts";
import { openSiteAs } from "../site/index.ts";
import { readPointer } from "../snapshot/index.ts";
import { withLocalVotes, withService } from "./embedded.ts";
import { harvestStage } from "./harvest.ts";
import { untilStopped, type Outcome, type ProgramContext } from "./program.ts";
import { startDevServer } from "./dev-server.ts";
import { beginRun } from "./reporting/run-record.ts";
import { runStages } from "./stages.ts";

export function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  return withService(settings, async (served) => {
    const harvest = {
      ...harvestStage(beginRun(settings, signal, served)),
      skip: () => settings.service.data === null && readPointer(settings.stateDir) !== null,
    };
    const plan = { title: "Plan", run: () => openSiteAs(settings).close() };
    await runStages([harvest, plan], settings.output.quiet);
    if (settings.secrets.length > 0) return await serveApart(settings, signal);
    const port = settingOf("listenPort", options);
    const server = await startDevServer(settings, port, options.allowHost ?? []);
    const origin = `http://localhost:${server.address.port}`;
    process.stdout.write(`Serving ${origin}${settings.site.base}\n`);
    await withLocalVotes(settings, origin, () => untilStopped(signal));
    await server.stop();
    return {};
  });
}

/** Runs the same command without the credential, which this process has used and removed from its environment. */
async function serveApart(settings: Settings, signal: AbortSignal): Promise<Outcome> {
  const env = { ...process.env, ...devEnvironment(settings) };
  const child = spawn(process.execPath, process.argv.slice(1), { env, stdio: "inherit" });
  using _stop = addAbortListener(signal, () => void child.kill("SIGTERM"));
  const [status] = (await once(child, "exit")) as [number | null];
  // The other process has said why it ended.
  if (!signal.aborted) process.exit(status ?? EXIT.bug);
  return {};
}
