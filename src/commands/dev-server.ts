/** Astro's dev server of the project, with the settings of the command. */
import type { dev as startAstro } from "astro";
import { PROJECT_ROOT } from "../files/roots.ts";
import { devEnvironment, type Settings } from "../settings/settings.ts";
import { explainMistake } from "./render-site.ts";

type DevServer = Awaited<ReturnType<typeof startAstro>>;

/**
 * @param port 0 for a free one
 * @throws {ConfigurationError} for a mistake in a file of the project
 */
export async function startDevServer(
  settings: Settings,
  port: number,
  allowedHosts: string[],
): Promise<DevServer> {
  Object.assign(process.env, devEnvironment(settings), {
    ASTRO_DEV_BACKGROUND: "0",
    ASTRO_TELEMETRY_DISABLED: "1",
  });
  // A mistake in astro.config.mjs is reported with its own line.
  process.setSourceMapsEnabled(true);
  const { dev } = await import("astro");
  const { projectConfig } = await import("./astro-integration.ts");
  const config = await projectConfig(settings.stateDir, null);
  // With `host`, Astro prints no hint on an option `--host`, which this command does not have.
  const server = { host: "localhost", port, allowedHosts };
  return dev({ ...config, root: PROJECT_ROOT, server }).catch((error: unknown) => {
    throw explainMistake(error);
  });
}
