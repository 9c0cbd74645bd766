/** `npm run preview`: serves `dist` with the headers and redirects of its host. */
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { isLoopbackName, urlHostname } from "../util/network.ts";
import { headerRules, headersFile } from "../hosts/headers.ts";
import type { Settings } from "../settings/settings.ts";
import { settingOf } from "../settings/sources.ts";
import { presetOf } from "../hosts/fit.ts";
import { withLocalVotes } from "./embedded.ts";
import { log, untilStopped, type Outcome, type ProgramContext } from "./program.ts";
import { hostAnswers, type HostAnswers, serveSite } from "../hosts/serve-site.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const { outDir, site } = settings;
  if (!existsSync(join(outDir, "index.html"))) {
    throw new UsageError(`Cannot preview ${outDir}: no site is there; run "npm run build" first`);
  }
  const host = settingOf("listenHost", options);
  const own = isLoopbackName(urlHostname(host)) ? [] : addressesOf(host);
  const server = await serveSite({
    outDir,
    base: site.base,
    host,
    port: settingOf("listenPort", options),
    answers: answersOf(settings),
    allowedHosts: [new URL(site.url).hostname, ...own, ...(options.allowHost ?? [])],
  });
  const hostname = AT_LOCALHOST.has(host) ? "localhost" : urlHostname(host);
  const { href, origin } = Object.assign(new URL(server.url), { hostname });
  // On stdout, for programs that wait until the server is ready.
  process.stdout.write(`Serving ${outDir} at ${href}\n`);
  for (const hostname of settings.output.quiet ? [] : own)
    log(`On the network: ${Object.assign(new URL(href), { hostname })}`);
  await withLocalVotes(settings, origin, () => untilStopped(signal));
  await server.close();
  return {};
}

/** Addresses that also receive requests to `localhost`. */
const AT_LOCALHOST = new Set(["localhost", "127.0.0.1", "::1", "0.0.0.0", "::"]);

/** The addresses for other devices of a server that listens at `host`; IPv4 only where it listens on all interfaces. */
function addressesOf(host: string): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [urlHostname(host)];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
}

/** The nginx snippet is in the state and not in the site, so its rules are computed again. */
export function answersOf(settings: Settings): HostAnswers {
  const { outDir, site } = settings;
  const { headers, limits } = presetOf(settings);
  const own =
    headers === "nginx" ? headersFile(headerRules(outDir, site.base, limits.headerRules)) : null;
  return hostAnswers(outDir, own);
}
