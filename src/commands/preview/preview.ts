/** `npm run preview`: `dist` served as its host would, with the same headers and redirects. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../contract/errors.ts";
import { headersFile } from "../../hosts/headers/formats.ts";
import { headerRules } from "../../hosts/headers/rules.ts";
import type { Settings } from "../../settings/settings.ts";
import { LISTEN_OPTIONS } from "../../settings/options.ts";
import { presetOf } from "../host/fitted.ts";
import { withLocalVotes } from "../local-votes.ts";
import { untilStopped, type Program } from "../program.ts";
import { hostAnswers, type HostAnswers } from "./host-answers.ts";
import { serveSite } from "./serve-site.ts";

const DEFAULT_PORT = 4321;

export const previewProgram: Program = {
  name: "preview",
  summary: "Serves the finished site, as a host would.",
  options: LISTEN_OPTIONS,
  async run({ settings, options, signal }) {
    const { outDir, site } = settings;
    if (!existsSync(join(outDir, "index.html"))) {
      throw new UsageError(`Cannot preview ${outDir}: no site is there; npm run build first`);
    }
    const port = Number(options["port"] ?? DEFAULT_PORT);
    const server = await serveSite({
      outDir,
      base: site.base,
      port,
      answers: answersOf(settings),
      allowedHosts: [
        new URL(site.url).hostname,
        ...((options["allow-host"] as string[] | undefined) ?? []),
      ],
    });
    const { href, origin } = Object.assign(new URL(server.url), { hostname: "localhost" });
    // On stdout, for programs that wait for it: requests are answered from now on.
    process.stdout.write(`Serving ${outDir} at ${href}\n`);
    await withLocalVotes(settings, origin, () => untilStopped(signal));
    await server.close();
    return {};
  },
};

/** A server of one's own has its rules in a snippet, not in the site: they are made again, to the same effect. */
export function answersOf(settings: Settings): HostAnswers {
  const { outDir, site } = settings;
  const { headers, limits } = presetOf(settings);
  const own = headers === "nginx" ? headersFile(headerRules(outDir, site.base, limits)) : null;
  return hostAnswers(outDir, own);
}
