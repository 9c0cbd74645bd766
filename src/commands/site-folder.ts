/**
 * Reads the fork's own folder, `site/`: everything in it is optional, and the project never writes there.
 *
 * A mistake in one of its files is the fork's to mend: a `ConfigurationError` with the file and the line.
 */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf, ROOT } from "../files/name-of.ts";
import { readMessages } from "../i18n/site-messages.ts";
import { readSiteConfig, type SiteConfig } from "../settings/site-config.ts";
import { NO_SITE, setSiteData, type SiteData } from "../settings/site-data.ts";
import type { Environment } from "../settings/sources.ts";
import { readPages } from "./routes.ts";

/**
 * The folder that `SITE_DIR` names, seen from the project's root, or `site`; null where there is none. The working
 * directory does not count: a render changes it.
 *
 * @throws {ConfigurationError} when `SITE_DIR` names no folder
 */
export function siteFolder(env: Environment): string | null {
  const { SITE_DIR = "" } = env;
  const folder = SITE_DIR === "" ? join(ROOT, "site") : resolve(ROOT, SITE_DIR);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  if (SITE_DIR === "") return null;
  throw new ConfigurationError(`Cannot use SITE_DIR: ${JSON.stringify(SITE_DIR)} is no folder`);
}

/**
 * Reads the folder for this process and its threads.
 *
 * @throws {ConfigurationError} when a file of it is wrong
 */
export async function loadSite(env: Environment): Promise<SiteData> {
  const folder = siteFolder(env);
  if (folder === null) {
    setSiteData(NO_SITE);
    return NO_SITE;
  }
  const config = await loadConfig(join(folder, "config.ts"));
  const { pages, unlisted } = readPages(join(folder, "pages"), join(ROOT, "src/pages"));
  const data = {
    config: { ...config, unlisted: [...config.unlisted, ...unlisted] },
    messages: loadMessages(join(folder, "messages")),
    pages,
  };
  setSiteData(data);
  return data;
}

function loadMessages(folder: string): SiteData["messages"] {
  const files = globSync("*.json", { cwd: folder }).sort();
  return Object.fromEntries(
    files.map((name) => {
      const file = join(folder, name);
      const code = basename(name, ".json");
      const source = { name: nameOf(file), text: readFileSync(file, "utf8") };
      return [code, readMessages(code, source)];
    }),
  );
}

async function loadConfig(file: string): Promise<SiteConfig> {
  if (!existsSync(file)) return readSiteConfig({});
  const name = nameOf(file);
  const text = readFileSync(file, "utf8");
  const url = pathToFileURL(file);
  // A dev server reads the file again after each change; a module is loaded once for each address.
  url.searchParams.set("changed", String(statSync(file).mtimeMs));
  const module = await (
    import(/* @vite-ignore */ url.href) as Promise<{ readonly default?: unknown }>
  ).catch((error: unknown) => {
    throw new ConfigurationError(`Cannot read ${name}${reasonOf(error, file)}`, { cause: error });
  });
  if (module.default === undefined) {
    throw new ConfigurationError(
      `Cannot read ${name}: it has no default export; write: export default defineSite({ … })`,
    );
  }
  return readSiteConfig(module.default, { name, text });
}

/** The line of the file at which a module failed, as the stack has it, and why. */
function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `: ${String(error)}`;
  const places = [file, pathToFileURL(file).href].map((place) => RegExp.escape(place)).join("|");
  const line = new RegExp(`(?:${places})(?:\\?[^:\\s]*)?:(\\d+)`).exec(error.stack ?? "")?.[1];
  return `${line === undefined ? "" : `:${line}`}: ${error.message}`;
}
