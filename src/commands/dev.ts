/**
 * `npm run dev`: Astro's dev server over the snapshot that stands, after a harvest where there is none.
 *
 * The embedded service goes on running beside it where the settings name no other.
 */
import { dev } from "astro";
import { renderEnvironment } from "../settings/settings.ts";
import { LISTEN_OPTIONS } from "../settings/options.ts";
import { openSiteAs } from "../site/index.ts";
import { readPointer } from "../snapshot/published/pointer.ts";
import { withService } from "./embedded.ts";
import { harvestWith } from "./harvest-program.ts";
import { withLocalVotes } from "./local-votes.ts";
import { untilStopped, type Program } from "./program.ts";
import { runStages } from "./stages.ts";

const DEFAULT_PORT = 4321;

export const devProgram: Program = {
  name: "dev",
  summary: "Serves the pages from their sources, and again whenever one changes.",
  options: LISTEN_OPTIONS,
  run: ({ settings, options, signal }) =>
    withService(settings, async (embeddedUrl) => {
      const harvest = {
        title: "Harvest",
        skip: () => readPointer(settings.stateDir) !== null,
        run: async (say: (line: string) => void) => {
          await harvestWith(settings, say, { signal, embeddedUrl });
        },
      };
      const plan = { title: "Plan", run: () => openSiteAs(settings).close() };
      await runStages([harvest, plan], settings.output.quiet);
      Object.assign(process.env, renderEnvironment(settings), { ASTRO_DEV_BACKGROUND: "0" });
      const port = Number(options["port"] ?? DEFAULT_PORT);
      const allowedHosts = (options["allow-host"] as string[] | undefined) ?? [];
      const server = await dev({ server: { port, allowedHosts } });
      const origin = `http://localhost:${server.address.port}`;
      process.stdout.write(`Serving ${origin}${settings.site.base}\n`);
      await withLocalVotes(settings, origin, () => untilStopped(signal));
      await server.stop();
      return {};
    }),
};
