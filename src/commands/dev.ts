/**
 * `npm run dev`: Astro's dev server over the published snapshot, after a harvest when there is none.
 *
 * The embedded service goes on running beside it where the settings name no other.
 */
import { dev } from "astro";
import { renderEnvironment } from "../settings/settings.ts";
import { settingOf } from "../settings/sources.ts";
import { openSiteAs } from "../site/index.ts";
import { readPointer } from "../snapshot/published/pointer.ts";
import { withService } from "./embedded.ts";
import { harvestWith } from "./harvest-program.ts";
import { withLocalVotes } from "./local-votes.ts";
import { untilStopped, type Program } from "./program.ts";
import { runStages } from "./stages.ts";

export const devProgram: Program = {
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
      const port = settingOf("listenPort", options);
      const allowedHosts = options.allowHost ?? [];
      const server = await dev({ server: { port, allowedHosts } });
      const origin = `http://localhost:${server.address.port}`;
      process.stdout.write(`Serving ${origin}${settings.site.base}\n`);
      await withLocalVotes(settings, origin, () => untilStopped(signal));
      await server.stop();
      return {};
    }),
};
