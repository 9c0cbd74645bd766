/** `npm run preview`: `dist` served as a host would, 404 page and base path included. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { preview } from "astro";
import { UsageError } from "../contract/errors.ts";
import { renderEnvironment } from "../settings/settings.ts";
import { LISTEN_OPTIONS } from "../settings/tables.ts";
import { withLocalVotes } from "./local-votes.ts";
import { untilStopped, type Program } from "./program.ts";

const DEFAULT_PORT = 4321;

export const previewProgram: Program = {
  name: "preview",
  summary: "Serves the finished site, as a host would.",
  options: LISTEN_OPTIONS,
  async run({ settings, options, signal }) {
    if (!existsSync(join(settings.outDir, "index.html"))) {
      throw new UsageError(
        `Cannot preview ${settings.outDir}: no site is there; npm run build first`,
      );
    }
    Object.assign(process.env, renderEnvironment(settings), { ASTRO_PREVIEW_BACKGROUND: "0" });
    const server = await preview({
      outDir: settings.outDir,
      server: { port: Number(options["port"] ?? DEFAULT_PORT) },
    });
    await withLocalVotes(settings, `http://localhost:${server.port}`, () => untilStopped(signal));
    await server.stop();
    return {};
  },
};
